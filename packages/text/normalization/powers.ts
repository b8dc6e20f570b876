import type { Language } from '@jyutsing/contracts/transcript';
import type { TokenContext, VerbalizedWord } from './tokens.ts';

/** A caret raises a number, something in brackets, or a variable. */
const BASE_BEFORE = /(?:[\d)）]|(?<!\p{Script=Latin})\p{Script=Latin})\s*$/u;
const EXPONENT = /^\s*[-−]?\d/u;
/** A variable as an exponent; ^_^ and T^T are faces. */
const VARIABLE = /^[a-z](?![\p{Script=Latin}\d^])/u;

/** Whether a caret between these texts raises something to a power: 2^10, x^2, 10^-3. */
export function isRaised(before: string, after: string): boolean {
  return BASE_BEFORE.test(before) && EXPONENT.test(after);
}

/** Whether an exponent, or its minus, comes next. */
export function isBeforeExponent(before: string): boolean {
  const [base] = /^.*(?=\^\s*[-−]?$)/su.exec(before) ?? [];
  return base !== undefined && BASE_BEFORE.test(base);
}

/** The variable to whose power the text before a caret is raised (2^n); null: there is none. */
export function variableExponent(before: string, after: string): string | null {
  const [variable] = VARIABLE.exec(after) ?? [];
  const isFace = variable !== undefined && before.toLowerCase().endsWith(variable);
  return variable === undefined || isFace || !BASE_BEFORE.test(before) ? null : variable;
}

/** Whether a variable is the exponent of the text before it: the n of 2^n. */
export function isVariableExponent(variable: string, { before, after }: TokenContext): boolean {
  return before.endsWith('^') && variableExponent(before.slice(0, -1), variable + after) !== null;
}

/** Whether a minus follows a power: n^3-1. */
export function isAfterPower(before: string, after: string): boolean {
  return /\^\s*[-−]?[\da-z]+\s*$/u.test(before) && /^\s*[\p{Script=Latin}\d(（]/u.test(after);
}

/** Whether a power of a number comes next, of which 2 is read with 的 or 嘅: 2^n. */
export function isBeforeVariableExponent(after: string): boolean {
  return after.startsWith('ⁿ') || (after.startsWith('^') && VARIABLE.test(after.slice(1)));
}

/** Reads the exponent of 2ⁿ and 2ⁿ⁻¹ in Chinese: N, then what is added to it and 次方. */
export function variablePower(written: string, language: Language, added: string): VerbalizedWord[] {
  return [
    { written: written.slice(0, 1), language: 'english', spokenForm: 'N' },
    { written: written.slice(1), language, spokenForm: `${added}次方` },
  ];
}
