import type { Numeral } from './tokens.ts';
import { matchAt } from './text-cursor.ts';

const NUMBER = /([+-]?)(?:(\d{1,3}(?:,\d{3})+)(?![\d,]\d)|(\d+)|(?=\.\d))(?:\.(\d+))?/y;
const CHINESE_SCALE = / ?(百萬|百万|千萬|千万|[百千萬万億亿兆])/uy;
const ENGLISH_SCALE = / ?(hundred|thousand|million|billion|trillion)(?![a-z])/iy;
const SHORT_SCALE = / ?([Kk]|[Mm]n?|[Bb]n?|[Tt]n)(?![\p{Script=Latin}\d]|\/(?!\p{Script=Han}))/uy;

const EXPONENTS: Readonly<Record<string, number>> = {
  百: 2,
  千: 3,
  萬: 4,
  万: 4,
  百萬: 6,
  百万: 6,
  千萬: 7,
  千万: 7,
  億: 8,
  亿: 8,
  兆: 12,
  hundred: 2,
  thousand: 3,
  k: 3,
  million: 6,
  m: 6,
  mn: 6,
  billion: 9,
  b: 9,
  bn: 9,
  trillion: 12,
  tn: 12,
};

type ReadNumeral = { value: Numeral; length: number };

/**
 * Matches a number: sign, digits, thousands, decimals, and the power of ten after it; null: none.
 */
export function numeralAt(text: string, at: number, options: { isMoney: boolean }): ReadNumeral | null {
  const match = matchAt(NUMBER, text, at);
  if (match === null || match[0] === '') return null;
  const [whole, sign = '', grouped, plain, fraction] = match;
  // The point of "3." ends a sentence and is not matched; ".5" has no digits before it.
  if (grouped === undefined && plain === undefined && fraction === undefined) return null;
  const scale = scaleAt(text, at + whole.length, options.isMoney);
  const value: Numeral = {
    sign: sign === '+' || sign === '-' ? sign : '',
    digits: (grouped ?? plain ?? '0').replaceAll(',', ''),
    fraction: fraction ?? null,
    isGrouped: grouped !== undefined,
    scale: scale === null ? null : { written: scale.written, exponent: scale.exponent },
  };
  return { value, length: whole.length + (scale?.length ?? 0) };
}

function scaleAt(text: string, at: number, isMoney: boolean) {
  const short = isMoney ? matchAt(SHORT_SCALE, text, at) : null;
  const match = longest(text, at) ?? short;
  const [whole = '', written = ''] = match ?? [];
  const exponent = EXPONENTS[written.toLowerCase()];
  return exponent === undefined ? null : { written, exponent, length: whole.length };
}

function longest(text: string, at: number): RegExpExecArray | null {
  return matchAt(CHINESE_SCALE, text, at) ?? matchAt(ENGLISH_SCALE, text, at);
}

/**
 * Signs that contain a number, in circles, brackets or with a point, in runs of rising numbers:
 * first sign, length, first number.
 */
const CIRCLED_RUNS: readonly (readonly [first: string, length: number, number: number])[] = [
  ['①', 20, 1],
  ['⑴', 20, 1],
  ['⒈', 20, 1],
  ['⓪', 1, 0],
  ['⓫', 10, 11],
  ['⓵', 10, 1],
  ['⓿', 1, 0],
  ['❶', 10, 1],
  ['➀', 10, 1],
  ['➊', 10, 1],
  ['㈠', 10, 1],
  ['㉑', 15, 21],
  ['㊀', 10, 1],
  ['㊱', 15, 36],
  ['Ⅰ', 12, 1],
  ['ⅰ', 12, 1],
];
const CIRCLED = new Map<string, string>();
for (const [first, length, number] of CIRCLED_RUNS) {
  for (let index = 0; index < length; index += 1) {
    CIRCLED.set(String.fromCharCode(first.charCodeAt(0) + index), String(number + index));
  }
}

/** The digits of a sign that is a number, such as ①, ⑷ or Ⅳ; null: it contains none. */
export function circledNumber(sign: string): string | null {
  return CIRCLED.get(sign) ?? null;
}

/** The approximate value, to compare two numerals. */
export function valueOf({ sign, digits, fraction, scale }: Numeral): number {
  const amount = Number(`${digits.slice(0, 300)}.${fraction?.slice(0, 20) ?? '0'}`) * 10 ** (scale?.exponent ?? 0);
  return sign === '-' ? -amount : amount;
}

/** Whether the numeral consists of digits only. */
export function isPlain({ sign, fraction, isGrouped, scale }: Numeral): boolean {
  return sign === '' && fraction === null && !isGrouped && scale === null;
}
