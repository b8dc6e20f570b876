import type { Language } from '@jyutsing/contracts/transcript';
import type { Token, TokenMeaning } from './tokens.ts';

/** A position in a text that is being tokenized. `text` is plain (see `plainText`). */
export type TextCursor = { text: string; at: number; language: Language };

/** The match of a sticky pattern at a position, or null. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The token from the cursor over `length` UTF-16 units, without white space at its end. */
export function tokenAt(source: TextCursor, length: number, meaning: TokenMeaning): Token {
  return { text: source.text.slice(source.at, source.at + length).trimEnd(), ...meaning };
}

/** The text before the cursor, as far as a token can depend on it. */
export function textBefore({ text, at }: TextCursor, length = 12): string {
  return text.slice(Math.max(0, at - length), at);
}

const LETTER_OR_DIGIT = /[\p{Script=Latin}\p{M}\d]$/u;

/** Whether a Latin letter or a digit directly precedes the cursor. */
export function isTouching({ text, at }: TextCursor): boolean {
  if (at === 0) return false;
  const before = text.charCodeAt(at - 1);
  // Asked a dozen times for each number, mostly after a space or a Chinese character.
  if (before < 0x80) return /[A-Za-z\d]/.test(text.charAt(at - 1));
  return LETTER_OR_DIGIT.test(text.slice(Math.max(0, at - 2), at));
}
