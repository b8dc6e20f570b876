import type { TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { normaliseSyllable } from '#text/jyutping.ts';
import { PINYIN_SYLLABLES } from './mandarin/pinyin-syllables.ts';
import { formatPinyin, parsePinyin, type PinyinSyllable } from '#text/pinyin.ts';

/** Marks and spaces between syllables. An apostrophe parts syllables of pinyin (xī'ān). */
const BETWEEN = /[\s\p{Cf}\p{P}]+/u;
const PAUSE = /[\p{P}]/u;
const APART = /[\s\p{Cf}'’\-‐‑–—()（）[\]"“”「」/]/gu;
const TONE_MARKS: Readonly<Record<string, number>> = { '\u0304': 1, '\u0301': 2, '\u030c': 3, '\u0300': 4 };
const LONGEST_SYLLABLE = 6;

/** Texts of romanised syllables, such as a learner's app sends; null: this is another text. */
export type ReadRomanised = (text: string) => TargetSyllable[] | null;

/** Jyutping with tones (`nei5 hou2`, `nei5hou2`), honoured as it is given: each syllable has one reading. */
export const readJyutping: ReadRomanised = (text) =>
  unitsOf(text.normalize('NFKC').toLowerCase(), (token) => {
    const parts = token.match(/[a-z]+\d?/gu) ?? [];
    if (parts.join('') !== token) return null;
    return complete(parts.map(normaliseSyllable));
  });

/**
 * Pinyin with tones as digits or as marks (`ni3 hao3`, `nǐ hǎo`, `nǐhǎo`), honoured as it is given. A syllable without a mark is of the
 * neutral tone, where others of the text have one.
 */
export const readPinyin: ReadRomanised = (text) => {
  const plain = text.normalize('NFC').toLowerCase().replaceAll('u:', 'ü').replaceAll('v', 'ü');
  const isMarked = /[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]/u.test(plain);
  const toned = plain.match(/\p{L}[1-5]/gu)?.length ?? 0;
  if (!isMarked && toned === 0) return null;
  const units = unitsOf(plain, (token) => {
    const parts = /\d/u.test(token) ? (token.match(/[^\d]+[1-5]?/gu) ?? []) : isMarked ? partsOf(token) : [token];
    if (parts === null || parts.join('') !== token) return null;
    return complete(parts.map(pinyinOf));
  });
  // An English sentence with a number in it is not pinyin without tones.
  const isMostlyNeutral = !isMarked && units !== null && units.length > 2 * toned;
  return isMostlyNeutral ? null : units;
};

function unitsOf(text: string, read: (token: string) => string[] | null): TargetSyllable[] | null {
  const units: TargetSyllable[] = [];
  let at = 0;
  for (const token of text.split(BETWEEN)) {
    if (token === '') continue;
    const start = text.indexOf(token, at);
    const between = text.slice(at, start).replace(APART, '');
    at = start + token.length;
    const syllables = read(token);
    if (syllables === null) return null;
    syllables.forEach((syllable, index) => {
      const afterPause = index === 0 && units.length > 0 && PAUSE.test(between);
      units.push({ kind: 'syllable', text: syllable, readings: [syllable], afterPause });
    });
  }
  return units.length === 0 ? null : units;
}

function complete(syllables: readonly (string | null)[]): string[] | null {
  const known = syllables.filter((syllable) => syllable !== null);
  return known.length === 0 || known.length < syllables.length ? null : known;
}

/** A syllable with a digit or a mark, or neither (neutral), as it is written with a digit; null: none. */
function pinyinOf(written: string): string | null {
  const syllable = parseWritten(written);
  const spelt = syllable === null ? '' : formatPinyin(syllable);
  if (PINYIN_SYLLABLES.has(spelt.slice(0, -1))) return spelt;
  // nàr, huar1: the vowel may curl or not, and the syllable stays.
  const plain = written.replace(/r(\d?)$/u, '$1');
  return plain === written ? null : pinyinOf(plain);
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

/** Syllables written together (`nǐhǎo`, `dōngxi`), the longest first; one after the first does not begin with a vowel. Null: it is no pinyin. */
function partsOf(token: string): string[] | null {
  const chars = Array.from(token);
  const best: (string[] | null)[] = Array.from({ length: chars.length + 1 }, () => null);
  best[chars.length] = [];
  for (let start = chars.length - 1; start >= 0; start -= 1) {
    for (let end = Math.min(chars.length, start + LONGEST_SYLLABLE); end > start; end -= 1) {
      const rest = best[end] ?? null;
      const part = chars.slice(start, end).join('');
      if (rest === null || pinyinOf(part) === null || /^[aeo]/u.test((rest[0] ?? '').normalize('NFD'))) continue;
      best[start] = [part, ...rest];
      break;
    }
  }
  return best[0] ?? null;
}

const TONED = /(?<![\p{L}\d])[a-zü]{2,6}[1-6](?![\p{L}\d])/gu;
const LEAST_ANNOTATIONS = 2;

/** A Chinese text without the romanised syllables that explain it (你好 nei5 hou2): spaces stand in their places. */
export function withoutAnnotations(text: string, isSyllable: (token: string) => boolean): string {
  const tokens = text.match(TONED)?.filter(isSyllable) ?? [];
  if (tokens.length < LEAST_ANNOTATIONS || !/\p{Script=Han}/u.test(text)) return text;
  return text.replace(TONED, (token) => (isSyllable(token) ? ' '.repeat(token.length) : token));
}
