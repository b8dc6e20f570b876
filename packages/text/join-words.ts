import type { Word } from '@jyutsing/contracts/transcript';

const LATIN_END = /[\p{Script=Latin}\d%'’.]$/u;
const LATIN_START = /^[\p{Script=Latin}\d$]/u;
const DIGIT_END = /\d$/;
const DIGIT_START = /^\d/;
/** Endings that are attached to the word before them: 's, n't, -ed, %. */
const CLITIC = /^(['’-]\p{L}|n['’]t|%)/u;

/**
 * Whether a space separates two adjacent words. Chinese has none, also not beside a Latin word
 * (我send咗email); two Latin words have one.
 */
export function isSpaceBetween(left: string, right: string): boolean {
  if (CLITIC.test(right) || !LATIN_END.test(left) || !LATIN_START.test(right)) return false;
  // Some recognizers output numbers digit by digit.
  return !(DIGIT_END.test(left) && DIGIT_START.test(right) && left.length === 1 && right.length === 1);
}

/** Joins words to a text, with spaces according to `isSpaceBetween`. */
export function joinWords(words: readonly string[]): string {
  let text = '';
  let last = '';
  for (const word of words) {
    if (word === '') continue;
    text += last !== '' && isSpaceBetween(last, word) ? ` ${word}` : word;
    last = word;
  }
  return text;
}

/** One Han character with its attached characters, or other text without a space. */
const UNITS =
  /\p{Script=Han}[\p{Mn}\u{E0100}-\u{E01EF}]*|[\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\s]+/gu;
/** Matches text without anything that is spoken. */
const SILENT = /^[^\p{L}\p{N}]*$/u;
const EDGES = /^[^\p{L}\p{N}$]+|[^\p{L}\p{N}%'’]+$/gu;

/**
 * Divides a text with one time into its smallest units: a Chinese character or an English word,
 * without punctuation. Distributes the time evenly; a Latin word counts one syllable for about
 * three letters.
 */
export function splitIntoUnits(word: Word): Word[] {
  const units = (word.text.match(UNITS) ?? [])
    .map((unit) => unit.replace(EDGES, ''))
    .filter((unit) => !SILENT.test(unit));
  const weights = units.map((unit) => (/^\p{Script=Han}/u.test(unit) ? 1 : Math.max(1, Math.round(unit.length / 3))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const lengthMs = Math.max(0, word.endMs - word.startMs);
  let passed = 0;
  return units.map((text, index) => {
    const startMs = word.startMs + Math.round((lengthMs * passed) / total);
    passed += weights[index] ?? 1;
    const endMs = word.startMs + Math.round((lengthMs * passed) / total);
    // The reading belongs to the whole word and cannot be divided.
    return { ...word, text, startMs, endMs, reading: units.length === 1 ? word.reading : null };
  });
}
