import { FILLER } from './keep-positions.ts';

/**
 * Letters and digits in a form of their own: raised or lowered, for mathematics, in brackets,
 * circles or squares. Raised digits and the n of 2ⁿ, unlike that of 2ⁿᵈ, are powers; ™ and ℹ are
 * no letters.
 */
const STYLED =
  /\u207F(?=[\u02B0-\u02B8\u1D2C-\u1DBF])|[\u02B0-\u02B8\u02E0-\u02E4\u03D0-\u03FF\u1D2C-\u1DBF\u2080-\u2089\u2090-\u209C\u2102-\u2115\u2118-\u211D\u2124-\u2138\u213C-\u2149\u249C-\u24E9\u2C7C\u2C7D\u3192-\u319F\uA7F2-\uA7F4\uA7F8\uA7F9\uAB5C-\uAB5F\u{10780}-\u{107BF}\u{1CCD6}-\u{1CCF9}\u{1D400}-\u{1D7FF}\u{1F100}-\u{1F189}\u{1F210}-\u{1F251}\u{1FBF0}-\u{1FBF9}]/gu;
const PLAIN = /^[(〔]?([\d\p{Script=Latin}\p{Script=Greek}\p{Script=Han}])[,.)〕]?$/u;
/** Letters in black circles and squares, which have no plain form: the first of each run. */
const BLACK_LETTERS = [0x1f150, 0x1f170] as const;
/** Zeros in circles without a plain form. */
const CIRCLED_ZEROS = /[\u{1F10B}\u{1F10C}]/u;
const LETTERS = 26;

/**
 * A text with the plain letters, digits and characters that people see in styled ones (𝟏𝟐, ⒜, 🅰,
 * 1ˢᵗ); every UTF-16 unit keeps its position.
 */
export function plainLetters(text: string): string {
  return text.replace(STYLED, (character) => plainLetter(character).padEnd(character.length, FILLER));
}

function plainLetter(character: string): string {
  if (CIRCLED_ZEROS.test(character)) return '0';
  const code = character.codePointAt(0)!;
  const black = BLACK_LETTERS.find((first) => code >= first && code < first + LETTERS);
  if (black !== undefined) return String.fromCharCode(code - black + 0x41);
  return PLAIN.exec(character.normalize('NFKC'))?.[1] ?? character;
}
