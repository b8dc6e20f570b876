import type { Language } from '@jyutsing/contracts/transcript';
import type { Token, TokenContext, VerbalizedWord } from './tokens.ts';

const NAMES =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega';
const BY_LETTER: ReadonlyMap<string, string> = new Map([
  ['ϝ', 'digamma'],
  ['Ϝ', 'digamma'],
  ...NAMES.split(' ').flatMap((name, index): [string, string][] => [
    ['αβγδεζηθικλμνξοπρστυφχψω'.charAt(index), name],
    ['ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'.charAt(index), name],
  ]),
]);
/** The sign of the micro, and other forms of letters. */
const SAME: Readonly<Record<string, string>> = { µ: 'μ', ς: 'σ', ϕ: 'φ', ϵ: 'ε', ϑ: 'θ' };
const OHM: Readonly<Record<Language, string>> = { cantonese: '歐姆', mandarin: '欧姆', english: 'ohms' };
/** The Japanese particle in names of shops, 優の良品, as it is read in Chinese. */
const OF: Readonly<Record<Language, string>> = { cantonese: '之', mandarin: '的', english: 'no' };

/** Signs beside the mouth of a face made of signs: (≧ω≦), (´・ω・`). */
const FACE_SIGNS = '≧≦・･｡。°´`˘^>＞<＜;；=＝@￣╹•◕';
const LEFT_OF_FACE = new RegExp(`(?:^|[^\\p{Script=Latin}\\p{Script=Greek}\\d${FACE_SIGNS}])[${FACE_SIGNS}]+$`, 'u');
const RIGHT_OF_FACE = new RegExp(`^[${FACE_SIGNS}]+(?![\\p{Script=Latin}\\p{Script=Greek}\\d${FACE_SIGNS}])`, 'u');

/** The English name of a Greek letter, with or without an accent; undefined for other signs. */
export function greekName(sign: string): string | undefined {
  const [letter = ''] = (SAME[sign] ?? sign).normalize('NFD');
  return BY_LETTER.get(letter);
}

/** Reads a Greek letter by its English name: β測試 is beta測試. Null for other tokens and faces. */
export function letterByName(
  token: Token,
  { before, after }: TokenContext,
  language: Language,
): VerbalizedWord[] | null {
  if (token.kind !== 'symbol') return null;
  const written = token.text;
  if (written === 'の') {
    const isBetween = /\p{Script=Han}$/u.test(before) && /^\p{Script=Han}/u.test(after);
    return isBetween ? [{ written, language, spokenForm: OF[language] }] : null;
  }
  if (/[\u03A9\u2126]/u.test(written) && /\d\s?$/.test(before))
    return [{ written, language, spokenForm: OHM[language] }];
  if (LEFT_OF_FACE.test(before) && RIGHT_OF_FACE.test(after)) return null;
  const name = greekName(written);
  return name === undefined ? null : [{ written, language: 'english', spokenForm: name }];
}
