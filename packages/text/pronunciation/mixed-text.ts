import type { TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { allowsPause, type ParseRomanized, type WrittenSyllable } from './parse-romanized.ts';

/** The text between Chinese characters, from its first Latin letter to its last sign of a word. */
const STRETCH = /\p{Script=Latin}(?:[^\p{Script=Han}]*[\p{Script=Latin}\p{M}\p{N}])?/gu;
const WORD = /[^\s\p{P}]+/gu;
const LETTERS = /\p{L}\p{M}*\p{L}/u;
/**
 * Matches a tone as a digit, or the accent of a first or third tone; European languages have the
 * other accents too (Málaga).
 */
export const SURELY_TONED = /[\dāēīōūǖǎěǐǒǔǚ]/iu;
const HAN = /\p{Script=Han}/u;
const WORD_SIGNS = /[\p{L}\p{M}\p{N}]+/u;

/** Romanized syllables within a text, in UTF-16 units. */
export type Run = { start: number; end: number; syllables: readonly WrittenSyllable[] };

type Unit = WrittenSyllable | TargetSyllable | TargetOther;
type ReadText = (text: string) => Promise<readonly (TargetSyllable | TargetOther)[]>;

/**
 * Whether a text may be romanized syllables: names of models and sizes (A4, TOP3) have no lower
 * case, or a single letter.
 */
export function isLikeSyllables(text: string): boolean {
  const at = text.search(LETTERS);
  return at >= 0 && /\p{Ll}/u.test(text.slice(at));
}

/**
 * The romanization of a language: `parse` reads syllables, `isInUse` tells whether words of the
 * language have the syllable with its tone.
 */
export type Romanization = { parse: ParseRomanized; isInUse: (syllable: string) => boolean };

/**
 * The romanized syllables among other words. One by itself must be in use, because words with a
 * number look alike (no1, top3).
 */
export function romanizedRuns(text: string, { parse, isInUse }: Romanization): Run[] {
  const runs: Run[] = [];
  const add = (start: number, end: number) => {
    const written = text.slice(start, end);
    const syllables = isLikeSyllables(written) ? parse(written) : null;
    if (syllables === null) return false;
    const isToned =
      SURELY_TONED.test(written.normalize('NFC')) || syllables.every((syllable) => !syllable.text.endsWith('5'));
    if (isToned && (syllables.length > 1 || isInUse(syllables[0]!.text))) runs.push({ start, end, syllables });
    return true;
  };
  for (const { 0: stretch, index } of text.matchAll(STRETCH)) {
    if (add(index, index + stretch.length)) continue;
    let [start, end] = [-1, -1];
    for (const { 0: word, index: at } of stretch.matchAll(WORD)) {
      if (parse(word) === null) {
        if (start >= 0) add(start, end);
        start = -1;
        continue;
      }
      if (start < 0) start = index + at;
      end = index + at + word.length;
    }
    if (start >= 0) add(start, end);
  }
  return runs;
}

/**
 * The units of a text of characters and romanized syllables, in order. Syllables that give the
 * readings of the characters before or after them (你好 nei5 hou2) are no units.
 */
export async function readMixed(text: string, runs: readonly Run[], read: ReadText): Promise<readonly Unit[]> {
  if (runs.length === 0) return read(text);
  const parts = await readParts(text, runs, read);
  const spoken = runs.filter((run) => !isExplanation(run, parts));
  if (spoken.length === runs.length) return unitsOf(parts);
  const explained = runs.filter((run) => !spoken.includes(run)).reduce((plain, run) => blank(plain, run, ' '), text);
  return unitsOf(await readParts(explained, spoken, read));
}

/** Replaces every character of a part of the text by a sign, so that positions stay valid. */
export function blank(text: string, { start, end }: Pick<Run, 'start' | 'end'>, sign: string): string {
  return text.slice(0, start) + sign.repeat(end - start) + text.slice(end);
}

/** A part of a text: a run of syllables, or the text between two runs. */
type Part = { text: string; run: Run | null; units: readonly Unit[] };

async function readParts(text: string, runs: readonly Run[], read: ReadText): Promise<Part[]> {
  const parts: Part[] = [];
  let at = 0;
  const readUntil = async (end: number) => {
    const between = text.slice(at, end);
    parts.push({ text: between, run: null, units: WORD_SIGNS.test(between) ? await read(between) : [] });
  };
  for (const run of runs) {
    await readUntil(run.start);
    parts.push({ text: text.slice(run.start, run.end), run, units: run.syllables });
    at = run.end;
  }
  await readUntil(text.length);
  return parts;
}

function unitsOf(parts: readonly Part[]): Unit[] {
  const units: Unit[] = [];
  let between = '';
  for (const part of parts) {
    const [first, ...rest] = part.units;
    if (first === undefined) {
      between += part.text;
      continue;
    }
    const marks = part.text.split(WORD_SIGNS);
    units.push({ ...first, afterPause: units.length > 0 && allowsPause(between + marks[0]) }, ...rest);
    between = marks.at(-1) ?? '';
  }
  return units;
}

/** Whether a run only gives the readings of the characters before or after it. */
function isExplanation(run: Run, parts: readonly Part[]): boolean {
  const at = parts.findIndex((part) => part.run === run);
  const charactersOf = (group: readonly Part[]) =>
    group.flatMap(({ units }) => units.filter((unit) => unit.kind === 'syllable' && HAN.test(unit.text)));
  const agrees = (units: readonly Unit[]) =>
    givesReadings(
      run.syllables,
      units.map((unit) => (unit.kind === 'syllable' ? unit.readings : [])),
    );
  const before = charactersOf(parts.slice(0, at)).slice(-run.syllables.length);
  return agrees(before) || agrees(charactersOf(parts.slice(at + 1, at + 2)));
}

/**
 * Whether most syllables, apart from their tones, are among the readings of the same number of
 * characters.
 */
export function givesReadings(
  syllables: readonly WrittenSyllable[],
  readings: readonly (readonly string[])[],
): boolean {
  const same = syllables.filter(({ text }, index) =>
    readings[index]?.some((reading) => soundOf(reading) === soundOf(text)),
  );
  return readings.length >= syllables.length && 2 * same.length > syllables.length;
}

const soundOf = (syllable: string): string => syllable.slice(0, -1);
