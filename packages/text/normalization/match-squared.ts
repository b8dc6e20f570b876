import type { Language } from '@jyutsing/contracts/transcript';
import { matchAt, type TextCursor } from './text-cursor.ts';
import type { PlacedToken, Token } from './tokens.ts';

/**
 * Words in one square, which are spoken character by character: the eras of Japan, and a company.
 */
export const SQUARED_WORDS = '㍻㍼㍽㍾㋿㍿';
const SQUARED_WORD = new RegExp(`[${SQUARED_WORDS}]`, 'gu');

/** Signs with several letters, or with a number and a character: ㎞, ㏑, ℡, 🅎, ㋀, ㏠, ㍘. */
const SQUARED =
  /[\u2100\u2101\u2105\u2106\u2121\u213B\u3250\u32C0-\u32CF\u3358-\u337A\u3380-\u33FF\u{1F12D}\u{1F12E}\u{1F14A}-\u{1F14F}\u{1F16A}-\u{1F16C}\u{1F190}]|\u20A8(?! ?[\d.])/uy;

/** Signs that are read as a word. */
const WORDS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  '℡': { cantonese: '電話', mandarin: '电话', english: 'telephone' },
  '℻': { cantonese: '傳真', mandarin: '传真', english: 'fax' },
};

/** Tokenizes a text; see `tokenize`. */
type Tokenize = (text: string, language: Language) => PlacedToken[];

/**
 * Matches a sign that stands for several letters, or for a day, a month or an hour, as one token.
 */
export function matchSquared({ text, at, language }: TextCursor, tokenize: Tokenize): Token | null {
  const sign = matchAt(SQUARED, text, at)?.[0];
  if (sign === undefined) return null;
  const words = WORDS[sign];
  if (words !== undefined) return { text: sign, kind: 'given', language, spokenForm: words[language], reading: [] };
  const written = unsquared(sign);
  const [, day = null] = /^(\d+)日$/u.exec(written) ?? [];
  if (day !== null) {
    return { text: sign, kind: 'date', year: null, month: null, day: Number(day), shape: 'chinese', dayWord: '日' };
  }
  const [only, ...laterTokens] = tokenize(written, language);
  // The parts of a code are written by themselves, which a sign has not.
  const isWhole =
    only !== undefined && laterTokens.length === 0 && only.token.kind !== 'latin' && only.token.kind !== 'code';
  if (isWhole) return { ...only.token, text: sign };
  const letters = written.toUpperCase().replaceAll(/[^A-Z]/gu, '');
  return letters === '' ? null : { text: sign, kind: 'letters', letters, plural: false };
}

/** The characters in a square, as people type them. */
export function unsquared(sign: string): string {
  return sign.normalize('NFKC').replaceAll('点', '點').replaceAll('\u2215', '/').replaceAll('\u03BC', 'μ');
}

/** Chinese characters with those of words in one square: ㍿ is 株式会社. */
export function withoutSquares(characters: string): string {
  return characters.replaceAll(SQUARED_WORD, unsquared);
}
