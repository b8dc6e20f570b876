import type { Numeral } from '#text/normalization/tokens.ts';

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const POWERS = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion'];
/** Longer numbers are read digit by digit. */
const MAX_DIGITS = 18;
const SCALES: Readonly<Record<number, string>> = {
  2: 'hundred',
  3: 'thousand',
  4: 'ten thousand',
  6: 'million',
  7: 'ten million',
  8: 'hundred million',
  9: 'billion',
  12: 'trillion',
};

/** Reads digits one by one: zero one two. */
export function digitByDigit(digits: string): string {
  return [...digits].map((digit) => SMALL[Number(digit)] ?? '').join(' ');
}

/**
 * Reads a whole number in British (and Hong Kong) English: one thousand two hundred and thirty-
 * four, one thousand and five. Leading zeros, or more than 18 digits, are read digit by digit.
 */
export function integerInWords(digits: string): string {
  if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return digitByDigit(digits);
  const groups: string[] = [];
  for (let end = digits.length, power = 0; end > 0; end -= 3, power += 1) {
    const value = Number(digits.slice(Math.max(0, end - 3), end));
    if (value === 0) continue;
    const isTail = power === 0 && value < 100 && digits.length > 3;
    groups.unshift(`${isTail ? 'and ' : ''}${belowThousandInWords(value)}${POWERS[power]}`);
  }
  return groups.length === 0 ? 'zero' : groups.join(' ');
}

function belowThousandInWords(value: number): string {
  if (value < 100) return belowHundredInWords(value);
  const rest = value % 100;
  const hundreds = `${SMALL[Math.floor(value / 100)]} hundred`;
  return rest === 0 ? hundreds : `${hundreds} and ${belowHundredInWords(rest)}`;
}

/** Reads a number from 0 to 99. */
export function belowHundredInWords(value: number): string {
  if (value < 20) return SMALL[value] ?? '';
  const ones = value % 10;
  return `${TENS[Math.floor(value / 10)]}${ones === 0 ? '' : `-${SMALL[ones]}`}`;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** Reads an ordinal: twenty-first, one hundred and fifth, fiftieth. */
export function ordinalInWords(digits: string): string {
  const spokenForm = integerInWords(digits.replace(/^0+(?=\d)/, ''));
  return spokenForm.replace(/[a-z]+$/, (last) => IRREGULAR[last] ?? `${last.replace(/y$/, 'ie')}th`);
}

/** Reads a number: minus three point one four, two million. */
export function numeralInWords({ sign, digits, fraction, scale }: Numeral): string {
  const spokenForm = `${sign === '-' ? 'minus ' : sign === '+' ? 'plus ' : ''}${integerInWords(digits)}`;
  const withPoint = fraction === null ? spokenForm : `${spokenForm} point ${digitByDigit(fraction.slice(0, 400))}`;
  const power = scale === null ? undefined : SCALES[scale.exponent];
  return power === undefined ? withPoint : `${withPoint} ${power}`;
}

/** Whether the noun after a number is singular. */
export function isOne({ digits, fraction, scale }: Numeral): boolean {
  return digits === '1' && fraction === null && scale === null;
}

/**
 * Reads a year in pairs of digits: nineteen ninety-eight, twenty twenty-six, nineteen oh five; but
 * two thousand and five.
 */
export function yearInWords(digits: string): string {
  const year = Number(digits);
  if (digits.length === 2)
    return digits.startsWith('0')
      ? `oh ${digits === '00' ? 'oh' : digitByDigit(digits.slice(1))}`
      : belowHundredInWords(year);
  if (digits.length !== 4 || digits.startsWith('0')) return integerInWords(digits);
  const rest = year % 100;
  if (year % 1000 < 10) return integerInWords(digits);
  const century = belowHundredInWords(Math.floor(year / 100));
  if (rest === 0) return `${century} hundred`;
  return `${century} ${rest < 10 ? `oh ${SMALL[rest]}` : belowHundredInWords(rest)}`;
}

/**
 * Reads the digits of an identifier, repeated ones as double and triple; `zero` is the word for 0.
 */
export function identifierInWords(digits: string, zero: 'zero' | 'oh'): string {
  const name = (digit: string) => (digit === '0' ? zero : (SMALL[Number(digit)] ?? ''));
  const runs = digits.match(/(\d)\1*/g) ?? [];
  return runs
    .map((run) => {
      const digit = name(run.charAt(0));
      // 999 and 5555 are read digit by digit, which is harder to miscount.
      if (run.length === 2 && digits.length > 2) return `double ${digit}`;
      if (run.length === 3 && digits.length > 3) return `triple ${digit}`;
      return Array.from(run, () => digit).join(' ');
    })
    .join(' ');
}
