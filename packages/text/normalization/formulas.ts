/** Letters, digits and signs of a formula; two letters in a row are a word. */
const SIGNS = String.raw`[\d²³⁰⁴-⁹ⁿ^=≠≤≥<>+\-×÷*\/().\s]|(?<!\p{Script=Latin})[A-Za-z](?!\p{Script=Latin})`;
const RUN_BEFORE = new RegExp(`(?:${SIGNS})*$`, 'u');
const RUN_AFTER = new RegExp(`^(?:${SIGNS})*`, 'u');
/** Signs of a power or of an equation. */
const OF_FORMULA = /[=≠²³⁰⁴-⁹ⁿ^]/u;
const TERM_BEFORE = /(?:[\d)²³⁰⁴-⁹ⁿ]|(?<!\p{Script=Latin})[A-Za-z])\s?$/u;
const TERM_AFTER = /^\s?(?:\(|\d|[A-Za-z](?!\p{Script=Latin}))/u;
/** An area or a volume, which a dash parts from what follows: 50 m² - 3房. */
const AREA_BEFORE = /\d\s?(?:[kcdm]?m|ft|in|yd)[²³]\s?$/u;
/** Words behind a dash with spaces: x = 5 - I checked, x = 5 - 3房. */
const WORDS_AFTER = /^\s(?:[aAI](?:\s+\p{L}|['’])|[\d.]*[A-Za-z]?(?![嘅的係是時时])\p{Script=Han})/u;

/** Whether a plus or minus stands between two terms of a formula: x²+3x-4, y = 2x - 1. */
export function isBetweenTerms(before: string, after: string): boolean {
  if (!TERM_BEFORE.test(before) || !TERM_AFTER.test(after)) return false;
  if (AREA_BEFORE.test(before) || WORDS_AFTER.test(after)) return false;
  const [runBefore = ''] = RUN_BEFORE.exec(before) ?? [];
  const [runAfter = ''] = RUN_AFTER.exec(after) ?? [];
  const formula = runBefore + runAfter;
  return OF_FORMULA.test(formula) && /[A-Za-z]/u.test(formula);
}
