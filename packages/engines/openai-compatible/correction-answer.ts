/** A corrected line of a model: its number and text. */
type GivenLine = { line: number; text: string };

const LINE_KEYS = ['line', 'number', 'index', 'id', 'n'];
const TEXT_KEYS = ['text', 'corrected', 'correction', 'output'];

/**
 * Parses the corrected lines of a model's answer. It is lenient, because every change is checked
 * afterwards: reasoning, Markdown and text around the JSON are skipped, truncated JSON gives its
 * complete lines, and numbered lines without JSON are accepted. An empty list means that there is
 * nothing to correct, null that the text is not an answer.
 */
export function parseCorrections(written: string): GivenLine[] | null {
  // Reasoning may contain examples; unfinished reasoning has no answer after it.
  const answer = (written.split('</think>').at(-1) ?? '').replace(/<think>[^]*$/, '');
  const objects = leafObjects(answer);
  const lines = objects.flatMap(linesOf);
  if (lines.length > 0) return lines;
  if (objects.some(isEmptyList) || /^(```(json)?)?\s*(\[\s*\]|\{\s*\})\s*(```)?$/.test(answer.trim())) return [];
  const numbered = answer.split('\n').flatMap(numberedLine);
  return numbered.length > 0 ? numbered : null;
}

function numberedLine(row: string): GivenLine[] {
  const [, line, text] = /^[\s*-]{0,10}(\d{1,4})[.:：、)]\s?(.+)$/u.exec(row) ?? [];
  return line === undefined || text === undefined ? [] : [{ line: Number(line), text }];
}

/** Finds the complete objects without nested objects, in order, in one pass over any text. */
function leafObjects(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = [];
  /** Start of the innermost open object; −1 when it contains another, or none is open. */
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
      if (start >= 0) objects.push(...parseObject(text.slice(start, at + 1)));
      start = -1;
      depth = Math.max(0, depth - 1);
    } else if (char === '"' && depth > 0) isString = true;
  }
  return objects;
}

function parseObject(text: string): Record<string, unknown>[] {
  // Models break lines inside strings, which JSON does not allow.
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

/** Accepts `{"line": 1, "text": "…"}` under several names, or `{"1": "…"}`. */
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

/** Least advantage in likeness by which another line overrides the number. */
const LEAST_ADVANTAGE = 0.3;
const LEAST_LIKENESS = 0.6;

/**
 * Replaces lines by their corrections (numbers count from 1), using the first correction of each
 * line. Models count from 0 or skip lines: a correction much more similar to another line is
 * assigned to that one; an unknown number without a similar line is dropped.
 */
export function placeLines(lines: readonly string[], givenLines: readonly GivenLine[]): string[] {
  const placed = [...lines];
  const isTaken = new Set<number>();
  for (const { line, text } of givenLines.slice(0, 2 * lines.length + 20)) {
    const likeness = lines.map((candidate) => likenessOf(candidate, text));
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

/** Computes the share of common characters, 0 to 1 (Dice, 1945). */
function likenessOf(a: string, b: string): number {
  const charCounts = new Map<string, number>();
  for (const char of a) charCounts.set(char, (charCounts.get(char) ?? 0) + 1);
  let common = 0;
  for (const char of b) {
    const count = charCounts.get(char) ?? 0;
    if (count === 0) continue;
    common += 1;
    charCounts.set(char, count - 1);
  }
  const total = [...a].length + [...b].length;
  return total === 0 ? 1 : (2 * common) / total;
}
