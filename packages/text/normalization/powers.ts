/** Whether a caret between these texts raises a number to a power: 2^10, 10^-3. */
export function isRaised(before: string, after: string): boolean {
  return /[\d)）]\s*$/u.test(before) && /^\s*[-−]?\d/u.test(after);
}

/** Whether an exponent, or its minus, comes next. */
export function isBeforeExponent(before: string): boolean {
  return /[\d)）]\s*\^\s*[-−]?$/u.test(before);
}
