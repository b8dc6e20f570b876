/** Letters, digits and signs of a formula; two letters in a row are a word. */
const SIGNS = String.raw`[\d²³⁰⁴-⁹ⁿ^=≠≤≥<>+\-×÷*\/().\s]|(?<!\p{Script=Latin})[A-Za-z](?!\p{Script=Latin})`;
const RUN_BEFORE = new RegExp(`(?:${SIGNS})*$`, 'u');
const RUN_AFTER = new RegExp(`^(?:${SIGNS})*`, 'u');
/** Signs of a power or of an equation. */
const OF_FORMULA = /[=≠²³⁰⁴-⁹ⁿ^]/u;
const TERM_BEFORE = /(?:[\d)²³⁰⁴-⁹ⁿ]|(?<!\p{Script=Latin})[A-Za-z])\s?$/u;
const TERM_AFTER = /^\s?(?:\(|\d|[A-Za-z](?!\p{Script=Latin}))/u;

/** Whether a plus or minus stands between two terms of a formula: x²+3x-4, y = 2x - 1. */
export function isBetweenTerms(before: string, after: string): boolean {
  if (!TERM_BEFORE.test(before) || !TERM_AFTER.test(after)) return false;
  const [runBefore = ''] = RUN_BEFORE.exec(before) ?? [];
  const [runAfter = ''] = RUN_AFTER.exec(after) ?? [];
  const formula = runBefore + runAfter;
  return OF_FORMULA.test(formula) && /[A-Za-z]/u.test(formula);
}
