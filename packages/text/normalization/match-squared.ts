import type { Language } from '@jyutsing/contracts/transcript';
import type { TextCursor } from './text-cursor.ts';
import type { PlacedToken, Token } from './tokens.ts';

/**
 * Words in one square, which are spoken character by character: the eras of Japan, and a company.
 */
export const SQUARED_WORDS = '㍻㍼㍽㍾㋿㍿';

/** Signs with several letters, or with a number and a character: ㎞, ㏑, ㋀, ㏠, ㍘. */
const SQUARED = /[\u3250\u32C0-\u32CF\u3358-\u337A\u3380-\u33FF]/u;

/** Tokenizes a text; see `tokenize`. */
type Tokenize = (text: string, language: Language) => PlacedToken[];

/**
 * Matches a sign that stands for several letters, or for a day, a month or an hour, as one token.
 */
export function matchSquared({ text, at, language }: TextCursor, tokenize: Tokenize): Token | null {
  const sign = text.charAt(at);
  if (!SQUARED.test(sign)) return null;
  const written = unsquared(sign);
  const [, day = null] = /^(\d+)日$/u.exec(written) ?? [];
  if (day !== null) {
    return { text: sign, kind: 'date', year: null, month: null, day: Number(day), shape: 'chinese', dayWord: '日' };
  }
  const [only, ...others] = tokenize(written, language);
  // The parts of a code are written by themselves, which a sign has not.
  const isWhole =
    only !== undefined && others.length === 0 && only.token.kind !== 'latin' && only.token.kind !== 'code';
  if (isWhole) return { ...only.token, text: sign };
  const letters = written.toUpperCase().replaceAll(/[^A-Z]/gu, '');
  return letters === '' ? null : { text: sign, kind: 'letters', letters, plural: false };
}

/** The characters in a square, as people type them. */
export function unsquared(sign: string): string {
  return sign.normalize('NFKC').replaceAll('点', '點').replaceAll('\u2215', '/').replaceAll('\u03BC', 'μ');
}
