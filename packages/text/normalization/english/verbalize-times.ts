import type { Token, TokenContext } from '#text/normalization/tokens.ts';
import { belowHundredInWords, ordinalInWords, integerInWords, yearInWords } from './english-numbers.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/**
 * Reads a year or a decade: twenty twenty-six, the nineteen nineties (without the article, which is
 * in the text).
 */
export function verbalizeYear({ digits, suffix }: Extract<Token, { kind: 'year' }>): string {
  if (suffix !== 's' && suffix !== '年代') return yearInWords(digits);
  const spokenForm = digits.endsWith('000') ? integerInWords(digits) : yearInWords(digits);
  return spokenForm.endsWith('y') ? `${spokenForm.slice(0, -1)}ies` : `${spokenForm}s`;
}

/**
 * Reads a date: the twenty-first of November twenty twenty-six, or November the twenty-first if the
 * month comes first.
 */
export function verbalizeDate(
  { text, year, month, day, shape }: Extract<Token, { kind: 'date' }>,
  before: string,
): string {
  const after = year === null ? '' : ` ${yearInWords(year)}`;
  const name = month === null ? '' : (MONTHS[month - 1] ?? '');
  if (day === null) return `${name}${after}`.trim();
  const article = /(?:^|\s)the\s+$/iu.test(before) ? '' : 'the ';
  const ordinal = article + ordinalInWords(String(day));
  if (name === '') return `${ordinal}${after}`;
  const isMonthFirst = shape === 'english' && /^\p{L}/u.test(text);
  return `${isMonthFirst ? `${name} ${ordinal}` : `${ordinal} of ${name}`}${after}`;
}

/**
 * Reads a time of day: three thirty P M, eight oh five, seven o'clock, fourteen hundred, half past
 * three for 半.
 */
export function verbalizeTime({ text, hour, minute, second, isHalf, half }: Extract<Token, { kind: 'time' }>): string {
  if (/n/i.test(text)) return 'twelve noon';
  const hours = belowHundredInWords(hour);
  if (isHalf) return `half past ${hours}`;
  const after = half === null ? '' : ` ${half === 'am' ? 'A M' : 'P M'}`;
  const isFull = minute === null || minute === 0;
  if (second !== null) return `${hours} ${twoDigits(minute ?? 0)} and ${belowHundredInWords(second)} seconds${after}`;
  if (!isFull) return `${hours} ${twoDigits(minute)}${after}`;
  if (after !== '') return hours + after;
  return hour === 0 || hour > 12 ? `${hours} hundred` : `${hours} o'clock`;
}

/** Words before a time of day: 2000 hours alone is how long something takes. */
const TIME_BEFORE = /\b(?:at|by|from|until|till|before|around) $/iu;

/** Reads the four digits of a military time, 0800 hours and 1430 hrs; null: another number. */
export function hoursOfDay(written: string, { before, after }: TokenContext): string | null {
  if (!/^(?:[01]\d|2[0-3])[0-5]\d$/.test(written) || !/^ ?(?:hours|hrs)(?!\p{L}| of)/u.test(after)) return null;
  if (!written.startsWith('0') && !TIME_BEFORE.test(before)) return null;
  const hour = Number(written.slice(0, 2));
  const minute = Number(written.slice(2));
  return `${hour < 10 && hour > 0 ? 'oh ' : ''}${belowHundredInWords(hour)} ${minute === 0 ? 'hundred' : twoDigits(minute)}`;
}

function twoDigits(minute: number): string {
  return minute < 10 ? `oh ${belowHundredInWords(minute)}` : belowHundredInWords(minute);
}
