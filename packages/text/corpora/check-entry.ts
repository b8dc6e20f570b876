import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { HIDDEN_CONTROL } from '#text/hidden-characters.ts';
import { foldCharacters, withPrivateCharacters } from '#text/script/fold-characters.ts';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';

/** An entry as received, not validated yet. */
export type RawEntry = { text?: unknown; jyutping?: unknown; weight?: unknown };

const MAX_TEXT_CHARS = 40;
/**
 * Limit before normalization, which may shorten a text to a quarter and whose time grows with the
 * square of a run of combining marks.
 */
const MAX_RAW_UNITS = 4 * MAX_TEXT_CHARS;
const MAX_SEARCHED_UNITS = 10_000;
const MAX_WEIGHT = 10;
const HAN = /\p{Script=Han}/gu;
const HAN_OR_LATIN = /[\p{Script=Han}\p{Script=Latin}]/u;
/** Characters without meaning that come with copied text. */
const ZERO_WIDTH = /[\u{200B}-\u{200F}\u{2060}\u{FEFF}]/gu;

/**
 * Caches normalized syllables (some thousands at most), which is far faster than parsing them
 * again.
 */
const normalSyllables = new Set<string>();

/** The number of syllables that a text needs: one for each Chinese character. */
export function countHan(text: string): number {
  return withPrivateCharacters(foldCharacters(text)).match(HAN)?.length ?? 0;
}

/**
 * Normalizes an entry (Unicode NFC, single spaces, lower-case jyutping, weight 1 by default), or
 * returns what is wrong with it, as the end of a sentence that begins with its position. Messages
 * never repeat the input, because they may be logged.
 */
export function checkEntry(raw: RawEntry): CorpusEntry | string {
  const text = checkText(raw.text);
  if ('problem' in text) return text.problem;
  const jyutping = checkJyutping(raw.jyutping, countHan(text.value));
  if ('problem' in jyutping) return jyutping.problem;
  const weight = raw.weight ?? 1;
  if (typeof weight !== 'number' || !(weight > 0 && weight <= MAX_WEIGHT)) {
    return `its weight is no number above 0 and at most ${MAX_WEIGHT}`;
  }
  return { text: text.value, jyutping: jyutping.value, weight };
}

type Checked<T> = { value: T } | { problem: string };

function checkText(raw: unknown): Checked<string> {
  if (typeof raw !== 'string') return { problem: 'has no text' };
  // Megabytes in one text are not searched for characters that do not count.
  if (raw.length > MAX_SEARCHED_UNITS) return tooLong(raw.length);
  const shown = raw.replace(ZERO_WIDTH, '').trim().replaceAll(/ +/g, ' ');
  if (shown === '') return { problem: 'has no text' };
  if (shown.length > MAX_RAW_UNITS) return tooLong([...shown].length);
  const value = shown.normalize('NFC');
  if (HIDDEN_CONTROL.test(value) || !value.isWellFormed()) return { problem: 'its text contains a control character' };
  const length = [...value].length;
  if (length > MAX_TEXT_CHARS) return tooLong(length);
  if (!HAN_OR_LATIN.test(withPrivateCharacters(value)))
    return { problem: 'its text contains neither a Chinese character nor a Latin letter' };
  return { value };
}

function tooLong(length: number): { problem: string } {
  return { problem: `its text has ${length} characters instead of at most ${MAX_TEXT_CHARS}` };
}

function checkJyutping(raw: unknown, hanCount: number): Checked<string | null> {
  if (raw === undefined || raw === null) return { value: null };
  if (typeof raw !== 'string') return { problem: 'its jyutping is not a string' };
  if (raw.length > MAX_SEARCHED_UNITS) return { problem: `its jyutping has ${raw.length} characters` };
  const parts = raw.split(/\s+/u).filter((syllable) => syllable !== '');
  if (parts.length === 0) return { value: null };
  // A word without Chinese characters has its jyutping for speech alone: any number of syllables.
  if (hanCount > 0 && parts.length !== hanCount) {
    return {
      problem: `the number of syllables in its jyutping is ${parts.length}, that of its Chinese characters ${hanCount}`,
    };
  }
  const syllables: string[] = [];
  for (const [index, syllable] of parts.entries()) {
    const normal = normalSyllables.has(syllable) ? syllable : normalizeSyllable(syllable);
    if (normal === null) return { problem: `syllable ${index + 1} is not jyutping with its tone, such as hoeng1` };
    normalSyllables.add(normal);
    syllables.push(normal);
  }
  return { value: syllables.join(' ') };
}
