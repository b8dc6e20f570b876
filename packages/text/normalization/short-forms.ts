import type { TokenContext } from './tokens.ts';

const DATE_AND_BRACKET = /(?:\d\/\d{1,2}|[日號号]) ?[（(]$/u;

/** Whether a character in brackets after a date is the day of the week: 12/8 (二). */
export function isWeekday(text: string, { before, after }: TokenContext): boolean {
  return /^[一二三四五六日]$/u.test(text) && DATE_AND_BRACKET.test(before) && /^[)）]/u.test(after);
}

/** A note, or the language C#, before its sign. */
export const NOTE_BEFORE = /(?<![\p{Script=Latin}\d])[A-G]$/u;

/** Text before the sign of a grade: a single letter, as in A- and B-. */
export const MINUS_GRADE_BEFORE = /(?<![\p{Script=Latin}\d-])[A-F]$/u;
/** After the sign of a grade, neither a word nor a number follows directly. */
export const MINUS_GRADE_AFTER = /^(?:$|[，。！？、；,.!?;)）]| (?:in|for|on|at)\b|[嘅呀啊喎啦都就同的])/u;
