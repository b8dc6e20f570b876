/** Digits that someone counts, which name nothing: 12345, 54321, 13579. */
export function isCounting(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, index) => (Number(digit) - Number(digits[index]) + 10) % 10);
  return [1, 2, 9].some((step) => steps.every((difference) => difference === step));
}

/** Writes digits that were read one by one; telephone numbers of Hong Kong and Macau in groups. */
export function writeDigits(digits: string): string {
  const [, code = '', first, second] = /^(852|853)?([235-9]\d{3})(\d{4})$/.exec(digits) ?? [];
  return first === undefined || second === undefined ? digits : `${code} ${first} ${second}`.trim();
}
