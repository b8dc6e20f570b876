const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  兩: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const D = '[一二兩两三四五六七八九]';
/** From ten to ninety-nine. */
export const TENS = `(?:${D}?十|廿|卅)${D}?`;
const HUNDREDS = `${D}百(?:零${D}|${D}?十${D}?)?`;
const THOUSANDS = `${D}千(?:零(?:${TENS}|${D})|${HUNDREDS})?`;
const BELOW_MYRIAD = `(?:${THOUSANDS}|${HUNDREDS}|${TENS}|${D})`;

/** A regular expression of a spoken whole number with all its powers of ten, below 10^8. */
export const WHOLE = `(?:${BELOW_MYRIAD}(?:[萬万](?:零${BELOW_MYRIAD}|${THOUSANDS})?)?)`;
/** Amounts as they are shortened in Cantonese: 百二八 (128), 千一 (1,100), 兩千四 (2,400). */
export const SHORTENED = `(?:[百千]${D}${D}?|[萬万]${D}|${D}百${D}${D}?|${D}千${D}|${D}[萬万]${D})`;
/** One character of a number, also of an approximate one: a number beside it is not whole. */
export const PART_OF_NUMBER = '[零〇一二兩两三四五六七八九十百千萬万億亿廿卅幾几數数多第成]';
/** Digits that are read one by one. */
export const DIGIT = '[零〇一二三四五六七八九]';

const POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

/** The value of a `WHOLE`. */
export function parseWhole(text: string): number {
  const spelled = text.replace('廿', '二十').replace('卅', '三十');
  let total = 0;
  let below = 0;
  let digit: number | null = null;
  for (const character of spelled) {
    const power = POWERS[character];
    if (character === '萬' || character === '万') {
      total = (below + (digit ?? 0)) * 10_000;
      below = 0;
      digit = null;
    } else if (power === undefined) digit = DIGITS[character] ?? 0;
    else {
      below += (digit ?? 1) * power;
      digit = null;
    }
  }
  return total + below + (digit ?? 0);
}

/** The value of a `SHORTENED`: a digit after a power counts the next lower power. */
export function parseShortened(text: string): number {
  const at = text.search(/[百千萬万]/u);
  const power = POWERS[text[at] ?? ''] ?? 10_000;
  const first = at === 0 ? 1 : (DIGITS[text[0] ?? ''] ?? 0);
  return Array.from(text.slice(at + 1)).reduce(
    (value, digit, index) => value + (DIGITS[digit] ?? 0) * (power / 10 ** (index + 1)),
    first * power,
  );
}

/** Digits that are read one by one: 二零二六 is `2026`. */
export function readDigits(text: string): string {
  return [...text].map((digit) => DIGITS[digit] ?? '').join('');
}
