/** A corrected line as a model gave it: the number that it says, and its text. */
export type GivenLine = { line: number; text: string };

const LINE_KEYS = ['line', 'number', 'index', 'id', 'n'];
const TEXT_KEYS = ['text', 'corrected', 'correction', 'output'];

/**
 * The corrected lines in what a model wrote. Read as leniently as can be, because every change is checked afterwards: thoughts, Markdown
 * and talk around the JSON are passed over, of JSON that is cut off the whole lines are taken, and lines may also stand numbered without
 * any JSON. No line: nothing is to be corrected. Null: this is no answer to the question.
 */
export function parseCorrections(written: string): GivenLine[] | null {
  // A thought may hold examples; one that never ends has nothing behind it.
  const said = (written.split('</think>').at(-1) ?? '').replace(/<think>[^]*$/, '');
  const objects = leafObjects(said);
  const lines = objects.flatMap(linesOf);
  if (lines.length > 0) return lines;
  if (objects.some(isEmptyList) || /^(```(json)?)?\s*(\[\s*\]|\{\s*\})\s*(```)?$/.test(said.trim())) return [];
  const numbered = said.split('\n').flatMap(numberedLine);
  return numbered.length > 0 ? numbered : null;
}

function numberedLine(said: string): GivenLine[] {
  const [, line, text] = /^[\s*-]{0,10}(\d{1,4})[.:：、)]\s?(.+)$/u.exec(said) ?? [];
  return line === undefined || text === undefined ? [] : [{ line: Number(line), text }];
}

/** Objects that hold no other object, as far as they are whole, in order; in one pass, whatever the text. */
function leafObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  /** Where the innermost open object began; −1 when it holds another, or none is open. */
  let start = -1;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isString) {
      if (char === '\\') at += 1;
      else if (char === '"') isString = false;
    } else if (char === '{') {
      start = at;
      depth += 1;
    } else if (char === '}') {
      if (start >= 0) found.push(...parseObject(text.slice(start, at + 1)));
      start = -1;
      depth = Math.max(0, depth - 1);
    } else if (char === '"' && depth > 0) isString = true;
  }
  return found;
}

function parseObject(text: string): Record<string, unknown>[] {
  // Models break lines inside of strings, which JSON does not allow.
  for (const attempt of [text, text.replaceAll(/\p{Cc}+/gu, ' ')]) {
    try {
      return [JSON.parse(attempt) as Record<string, unknown>];
    } catch {
      continue;
    }
  }
  return [];
}

function isEmptyList(object: Record<string, unknown>): boolean {
  const values = Object.values(object);
  return values.length > 0 && values.every((value) => Array.isArray(value) && value.length === 0);
}

/** `{"line": 1, "text": "…"}` under some names, or `{"1": "…"}`. */
function linesOf(object: Record<string, unknown>): GivenLine[] {
  const line = LINE_KEYS.map((key) => object[key]).find((value) => value !== undefined);
  const text = TEXT_KEYS.map((key) => object[key]).find((value) => typeof value === 'string');
  if (typeof text === 'string') return isNumber(line) ? [{ line: Number(line), text }] : [];
  return Object.entries(object).flatMap(([key, value]) =>
    isNumber(key) && typeof value === 'string' ? [{ line: Number(key), text: value }] : [],
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\s*\d{1,6}\s*$/.test(value));
}

/** By so much another line must be more alike before a number is not believed. */
const LEAST_ADVANTAGE = 0.3;
const LEAST_LIKENESS = 0.6;

/**
 * The lines with the given ones in their places (numbers count from 1), the first for each. Models count from 0, or past a line: one that
 * is much more like another line than like the one of its number belongs to that; with a number that does not exist and like none, to none.
 */
export function placeLines(lines: readonly string[], given: readonly GivenLine[]): string[] {
  const placed = [...lines];
  const isTaken = new Set<number>();
  for (const { line, text } of given.slice(0, 2 * lines.length + 20)) {
    const likeness = lines.map((each) => likenessOf(each, text));
    const numbered = likeness[line - 1] ?? LEAST_LIKENESS - LEAST_ADVANTAGE;
    const best = Math.max(...likeness);
    const isElsewhere = best >= LEAST_LIKENESS && best >= numbered + LEAST_ADVANTAGE;
    const index = isElsewhere ? likeness.indexOf(best) : line - 1;
    if (placed[index] === undefined || isTaken.has(index)) continue;
    placed[index] = text;
    isTaken.add(index);
  }
  return placed;
}

/** Share of common characters, 0 to 1 (Dice, 1945). */
function likenessOf(a: string, b: string): number {
  const left = new Map<string, number>();
  for (const char of a) left.set(char, (left.get(char) ?? 0) + 1);
  let common = 0;
  for (const char of b) {
    const count = left.get(char) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(char, count - 1);
  }
  const total = [...a].length + [...b].length;
  return total === 0 ? 1 : (2 * common) / total;
}
