import type { Language } from '@jyutsing/contracts/transcript';
import type { Token, TokenMeaning } from './tokens.ts';

/** A text that is being taken apart, and how far one is. `text` is plain (see `plainText`). */
export type TextCursor = { text: string; at: number; language: Language };

/** Tells whether one kind of item begins at `at`. Looks a bounded way ahead and back, so that the whole stays linear in the text. */
export type MatchToken = (source: TextCursor) => Token | null;

/** What a sticky pattern matches at a place, or null. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The item of that meaning which reaches from `at` for `length` UTF-16 units; white space at its end is left off. */
export function tokenAt(source: TextCursor, length: number, meaning: TokenMeaning): Token {
  return { text: source.text.slice(source.at, source.at + length).trimEnd(), ...meaning };
}

/** What stands right before, so far as an item can depend on it. */
export function textBefore({ text, at }: TextCursor): string {
  return text.slice(Math.max(0, at - 12), at);
}

const LETTER_OR_DIGIT = /[\p{Script=Latin}\p{M}\d]$/u;

/** Whether a Latin letter or a digit touches the place from the left. */
export function isTouching(source: TextCursor): boolean {
  return source.at > 0 && LETTER_OR_DIGIT.test(source.text.slice(Math.max(0, source.at - 2), source.at));
}
