import type { TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { PINYIN_SYLLABLES } from './mandarin/pinyin-syllables.ts';
import { formatPinyin, parsePinyin, type PinyinSyllable } from '#text/syllables/pinyin.ts';

/**
 * Punctuation and spaces between syllables. An apostrophe separates syllables of pinyin (xī'ān).
 */
const BETWEEN = /[\s\p{Cf}\p{P}]+/u;
const PAUSE = /[\p{P}]/u;
const APART = /[\s\p{Cf}'’\-‐‑–—()（）[\]"“”「」/]/gu;
const TONE_MARKS: Readonly<Record<string, number>> = { '\u0304': 1, '\u0301': 2, '\u030c': 3, '\u0300': 4 };
const MAX_SYLLABLE_LENGTH = 6;

/** A romanized syllable, and whether it is written together with the one before it (nǐhǎo). */
export type WrittenSyllable = TargetSyllable & { isJoined: boolean };

/** Parses a text of romanized syllables, as learners' apps send it; null: it is another text. */
export type ParseRomanized = (text: string) => WrittenSyllable[] | null;

/**
 * Parses jyutping with tones (`nei5 hou2`, `nei5hou2`): each syllable has exactly the given
 * reading.
 */
export const readJyutping: ParseRomanized = (text) =>
  unitsOf(text.normalize('NFKC').toLowerCase(), (token) => {
    const parts = token.match(/[a-z]+\d?/gu) ?? [];
    if (parts.join('') !== token) return null;
    return complete(parts.map(normalizeSyllable));
  });

/**
 * Parses pinyin with tones as digits or accents (`ni3 hao3`, `nǐ hǎo`, `nǐhǎo`), each syllable with
 * the given reading; `pinyinUnits` adds what speakers make of it. A syllable without a tone is
 * neutral if others have one.
 */
export const readPinyin: ParseRomanized = (text) => {
  const plain = text.normalize('NFC').toLowerCase().replaceAll('u:', 'ü').replaceAll('v', 'ü');
  const isMarked = /[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]/u.test(plain);
  const toned = plain.match(/\p{L}[1-5]/gu)?.length ?? 0;
  if (!isMarked && toned === 0) return null;
  const units = unitsOf(plain, (token) => {
    const parts = /\d/u.test(token) ? (token.match(/[^\d]+[1-5]?/gu) ?? []) : isMarked ? partsOf(token) : [token];
    if (parts === null || parts.join('') !== token) return null;
    return complete(parts.map(pinyinOf));
  });
  // An English sentence with a number is not pinyin without tones.
  const isMostlyNeutral = !isMarked && units !== null && units.length > 2 * toned;
  return isMostlyNeutral ? null : units;
};

/** Whether a word would be pinyin if it had tones: `ni`, `nihao`. */
export function isPinyinWithoutTones(word: string): boolean {
  return partsOf(word.toLowerCase()) !== null;
}

/** Whether speakers may pause at the text between two words. */
export function allowsPause(between: string): boolean {
  return PAUSE.test(between.replace(APART, ''));
}

function unitsOf(text: string, read: (token: string) => string[] | null): WrittenSyllable[] | null {
  const units: WrittenSyllable[] = [];
  let at = 0;
  for (const token of text.split(BETWEEN)) {
    if (token === '') continue;
    const start = text.indexOf(token, at);
    const between = text.slice(at, start);
    at = start + token.length;
    const syllables = read(token);
    if (syllables === null) return null;
    syllables.forEach((syllable, index) => {
      const afterPause = index === 0 && units.length > 0 && allowsPause(between);
      units.push({ kind: 'syllable', text: syllable, readings: [syllable], afterPause, isJoined: index > 0 });
    });
  }
  return units.length === 0 ? null : units;
}

function complete(syllables: readonly (string | null)[]): string[] | null {
  const present = syllables.filter((syllable) => syllable !== null);
  return present.length === 0 || present.length < syllables.length ? null : present;
}

/**
 * Converts a syllable with a digit, an accent, or neither (neutral) to the form with a digit; null
 * for other text.
 */
function pinyinOf(written: string): string | null {
  const plain = plainPinyinOf(written);
  if (plain !== null) return plain;
  // The r of nàr and huar1 is optional, and the syllable stays without it. The r of er is part of
  // its syllable.
  const withoutR = plainPinyinOf(written.replace(/r(\d?)$/u, '$1'));
  return withoutR?.startsWith('er') === true ? null : withoutR;
}

/**
 * Converts a syllable without rhotacization. No written syllable begins with i, u or ü, because it
 * has a y or w before it.
 */
function plainPinyinOf(written: string): string | null {
  if (/^[iu]/u.test(written.normalize('NFD'))) return null;
  const syllable = parseWritten(written);
  const formatted = syllable === null ? '' : formatPinyin(syllable);
  return PINYIN_SYLLABLES.has(formatted.slice(0, -1)) ? formatted : null;
}

function parseWritten(written: string): PinyinSyllable | null {
  let tone = '';
  const letters = written.normalize('NFD').replace(/[\u0304\u0301\u030c\u0300]/gu, (mark) => {
    tone += String(TONE_MARKS[mark] ?? '');
    return '';
  });
  const plain = letters.normalize('NFC');
  if (tone === '') return parsePinyin(plain);
  return /\d$/u.test(plain) ? null : parsePinyin(plain + tone);
}

/**
 * Divides syllables without a separator (`nǐhǎo`, `dōngxi`), the longest first; only the first one
 * may begin with a vowel. Null for text that is no pinyin.
 */
function partsOf(token: string): string[] | null {
  const chars = Array.from(token);
  /**
   * The end of the first syllable that begins at each place; undefined if the rest is no pinyin.
   */
  const ends: (number | undefined)[] = [];
  ends[chars.length] = chars.length;
  for (let start = chars.length - 1; start >= 0; start -= 1) {
    for (let end = Math.min(chars.length, start + MAX_SYLLABLE_LENGTH); end > start; end -= 1) {
      if (ends[end] === undefined || /^[aeo]/u.test((chars[end] ?? '').normalize('NFD'))) continue;
      if (pinyinOf(chars.slice(start, end).join('')) === null) continue;
      ends[start] = end;
      break;
    }
  }
  if (ends[0] === undefined) return null;
  const parts: string[] = [];
  for (let at = 0; at < chars.length; at = ends[at] ?? chars.length) parts.push(chars.slice(at, ends[at]).join(''));
  return parts;
}
