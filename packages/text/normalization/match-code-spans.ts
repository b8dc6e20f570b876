import type { CodePart, Token } from './tokens.ts';
import { matchAt, tokenAt, type TextCursor } from './text-cursor.ts';

/** The first of a span of classes, pages, questions or floors, no room and no house: P1-3, Q5-8. */
const FIRST_OF_SPAN =
  /([B-GI-Z]|Ch|Ex|Lv)(\d{1,2})(?=-(\d{1,2})(?![\d-]|\.\d| ?\p{Script=Latin}\d|\p{Script=Latin}| ?[室座號号舖鋪]))/uy;
const MAX_LEVEL = 13;
const WORDS: Readonly<Record<string, string>> = { Ch: 'Chapter', Ex: 'Exercise', Lv: 'Level' };

/** Matches P1 of P1-3, whose sign is "to" (see `isBetweenCodes`). */
export function matchFirstOfSpan(source: TextCursor): Token | null {
  const [written, letters = '', first = '', last = ''] = matchAt(FIRST_OF_SPAN, source.text, source.at) ?? [];
  if (written === undefined || Number(first) >= Number(last)) return null;
  if (Number(last) > MAX_LEVEL && letters !== 'Q') return null;
  const word = WORDS[letters];
  const name: CodePart =
    word === undefined ? { kind: 'letters', text: letters } : { kind: 'latin', text: word, written: letters };
  return tokenAt(source, written.length, { kind: 'code', parts: [name, { kind: 'digits', text: first }] });
}
