/** Limits of the shape of a JSON text; no JSON has more strings than two for each value. */
export type JsonLimits = { depth: number; values: number };

/** The structure of a JSON text, complete or not, which is found without parsing it. */
export type JsonOutline = {
  /** The first limit that the text exceeds; `digits`: a number has over `MOST_DIGITS`. */
  exceeded: keyof JsonLimits | 'digits' | null;
  /** The last field `api_key` of the outermost object, if its value is text. */
  apiKey: string | null;
};

/** A list that is the value of a field of the outermost object, by indices in the text. */
export type LongList = {
  /** The name of the field, as JSON. */
  name: string;
  open: number;
  /** The commas where it is cut into parts that can be parsed one by one. */
  cuts: number[];
  close: number;
};

/** A scan of so many characters takes about a millisecond; then other work has its turn. */
const SCANNED_CHARACTERS = 512 * 1024;
/** A list is cut at the first comma after so much of it. */
const PART = { characters: 128 * 1024, values: 1_000 } as const;
/** The most values of a part, and of everything outside of such lists: more cannot be cut. */
const MOST_VALUES_OF_PART = 10_000;

/** Parsing a number of megabytes takes a turn of 50 ms. */
const MOST_DIGITS = 1_000;
const NUMBER = /[-\d]/;
const [SPACE, COLON] = [0x20, 0x3a];

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((mark) =>
  mark.charCodeAt(0),
);

/**
 * Scans a JSON text in one pass without allocation. Parsing first would be too late: lists within
 * lists and lists of empty objects take a hundred times their size in memory. The text may be
 * malformed, or the beginning of a longer one; brackets and commas inside strings do not count.
 */
export function outlineJson(text: string, limits: JsonLimits): JsonOutline {
  const steps = scanJson(text, limits);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The same in steps, between which other work can have its turn. Also finds the lists that are too
 * long to be parsed in one go.
 */
export function* scanJson(
  text: string,
  limits: JsonLimits,
): Generator<undefined, JsonOutline & { lists: LongList[] }, undefined> {
  let [depth, values, strings] = [0, 0, 0];
  let apiKey: string | null = null;
  const longLists = new LongListFinder();
  let isObject = false;
  /** The last string directly in the outermost object. */
  let [nameStart, nameEnd] = [0, 0];
  let beforeNumber = 0;
  let rest = SCANNED_CHARACTERS;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= rest) {
      yield;
      rest = at + SCANNED_CHARACTERS;
    }
    const char = text.charCodeAt(at);
    if (at - beforeNumber > MOST_DIGITS && NUMBER.test(text.charAt(beforeNumber + 1)))
      return { exceeded: 'digits', apiKey, lists: longLists.found };
    if (char === QUOTE) {
      if (depth === 1) {
        apiKey = keyAt(text, at) ?? apiKey;
        nameStart = at;
      }
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) {
        if (text.charCodeAt(at) === BACKSLASH) at += 1;
        if (at < rest) continue;
        yield;
        rest = at + SCANNED_CHARACTERS;
      }
      strings += 1;
      beforeNumber = at;
      if (depth === 1) nameEnd = at + 1;
    } else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      beforeNumber = at;
      if (depth === 1) isObject = char === OPEN_OBJECT;
      const isField = depth === 2 && isObject && nameEnd > 0;
      if (isField && char === OPEN_LIST) longLists.open(text.slice(nameStart, nameEnd), at, values);
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      if (depth === 2) longLists.close(at, values);
      depth -= 1;
      beforeNumber = at;
    } else if (char === COMMA) {
      values += 1;
      beforeNumber = at;
      if (depth === 2) longLists.comma(at, values);
    } else if (char <= SPACE || char === COLON) beforeNumber = at;
    if (depth > limits.depth) return { exceeded: 'depth', apiKey, lists: longLists.found };
    if (values > limits.values || strings > 2 * (limits.values + 1))
      return { exceeded: 'values', apiKey, lists: longLists.found };
  }
  return { exceeded: longLists.isTooWide(values) ? 'values' : null, apiKey, lists: longLists.found };
}

/**
 * Finds the long lists of a text that is scanned: told where lists in the outermost object begin,
 * have commas and end, each time with the number of values so far.
 */
class LongListFinder {
  readonly found: LongList[] = [];
  private list: LongList | null = null;
  private partStart = 0;
  private valuesBefore = 0;
  private valuesOutside = 0;
  private hasWidePart = false;

  open(name: string, at: number, values: number): void {
    this.valuesOutside += values - this.valuesBefore;
    this.list = { name, open: at, cuts: [], close: at };
    this.beginPart(at, values);
  }

  comma(at: number, values: number): void {
    const isPart = at - this.partStart >= PART.characters || values - this.valuesBefore >= PART.values;
    if (this.list === null || !isPart) return;
    this.endPart(at, values);
    this.list.cuts.push(at);
  }

  close(at: number, values: number): void {
    if (this.list === null) return;
    this.endPart(at, values);
    this.list.close = at;
    if (this.list.cuts.length > 0) this.found.push(this.list);
    this.list = null;
  }

  /** Whether a part, or everything outside of lists, has too many values to be parsed in one go. */
  isTooWide(values: number): boolean {
    return this.hasWidePart || this.valuesOutside + values - this.valuesBefore > MOST_VALUES_OF_PART;
  }

  private endPart(at: number, values: number): void {
    this.hasWidePart ||= values - this.valuesBefore > MOST_VALUES_OF_PART;
    this.beginPart(at, values);
  }

  private beginPart(at: number, values: number): void {
    this.partStart = at;
    this.valuesBefore = values;
  }
}

/** Says what is wrong with a JSON text that exceeds a limit, after its name. */
export function excessOf(exceeded: NonNullable<JsonOutline['exceeded']>, { depth, values }: JsonLimits): string {
  if (exceeded === 'depth') return `is nested more than ${depth} levels deep`;
  return `contains ${exceeded === 'values' ? `more than ${values} values` : `a number of more than ${MOST_DIGITS} digits`}`;
}

const KEY_FIELD = /"api_key"\s*:\s*"([^"\\]*)"/y;

/** The value of the field whose name begins at `start`, if it is `api_key`. */
function keyAt(text: string, start: number): string | null {
  KEY_FIELD.lastIndex = start;
  return KEY_FIELD.exec(text)?.[1] ?? null;
}
