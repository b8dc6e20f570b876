import { matchAt } from '#text/normalization/text-cursor.ts';
import type { TokenContext } from '#text/normalization/tokens.ts';

/** Short forms of days, and their names. */
const DAYS: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Tues: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Thur: 'Thursday',
  Thurs: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};
const MONTHS: Readonly<Record<string, string>> = Object.fromEntries(
  'January February March April May June July August September October November December'
    .split(' ')
    .flatMap((name) => [name.slice(0, 3), name === 'September' ? 'Sept' : name].map((short) => [short, name])),
);

const titled = (name: string) => (/^[A-Z]+$/.test(name) ? name.charAt(0) + name.slice(1).toLowerCase() : name);

/** The days or the months that a word joins, Mon-Fri, MON-SAT, Jan-Mar, or one day; or null. */
export function calendarNames(word: string): string[] | null {
  if (!/^[A-Z]/.test(word)) return null;
  const parts = word.split('-').map(titled);
  const table = Object.hasOwn(DAYS, parts[0]!) ? DAYS : MONTHS;
  if (table === MONTHS && parts.length === 1) return null;
  const names = parts.flatMap((part) => (Object.hasOwn(table, part) ? (table[part] ?? []) : []));
  return names.length === parts.length ? names : null;
}

const DAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?';
/** A pattern of the names and the short forms of months, not grouped. */
const MONTHS_IN_TITLE_CASE =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
/** The names without capitals, but for march and may, which are other words. */
const CLEAR_IN_SMALL = MONTHS_IN_TITLE_CASE.toLowerCase().replace(/mar\(\?:ch\)\?\||may\|/g, '');
/** The names as people write them: July, JULY and july. */
export const MONTH_NAMES = `${MONTHS_IN_TITLE_CASE}|${MONTHS_IN_TITLE_CASE.toUpperCase()}|${CLEAR_IN_SMALL}`;
const MONTH = `(?:${MONTH_NAMES})`;
const NOT_LETTER = '(?!\\p{Script=Latin})';
const DAY_OF_MONTH = `\\d{1,2}(?:st|nd|rd|th)?`;
const DATE = `(?:${MONTH}\\.? ${DAY_OF_MONTH}(?:,? \\d{4})?(?!\\d)|${DAY_OF_MONTH} ?${MONTH}(?: \\d{4})?${NOT_LETTER})`;
/** A dash between two days or two months, Mon–Fri, or two dates: 1 Jan-3 Mar. */
export const CALENDAR_DASH = new RegExp(
  [
    ...[DAY, MONTH].map((name) => `(?<=(?<!\\p{Script=Latin})${name}\\.? ?)[–—](?= ?${name}${NOT_LETTER})`),
    `(?<=(?<![\\p{Script=Latin}\\d])${DATE} ?)[-–—](?= ?${DATE})`,
  ].join('|'),
  'uy',
);
/** The last day of a span before its month: 8 June of 5-8 June. */
const LAST_AND_MONTH = `${DAY_OF_MONTH} ?(?:of )?${MONTH}${NOT_LETTER}(?! (?:St|Rd|Str|Road|Ave|Lane))`;
/** The month and the first day of a span: June 5 of June 5-8. */
const MONTH_AND_FIRST = `(?<!\\p{Script=Latin})${MONTH}\\.? ${DAY_OF_MONTH}`;
const NUMERIC_DATE = '\\d{1,2}\\/\\d{1,2}(?:\\/\\d{2,4})?';
/** A dash between two dates in English, of which one has the month: 5-8 June, 1/12 - 5/12. */
export const DATE_DASH = new RegExp(
  [
    `(?<=(?<![\\p{Script=Latin}\\d.,/:-])${DAY_OF_MONTH} ?)[-–—](?= ?${LAST_AND_MONTH})`,
    `(?<=${MONTH_AND_FIRST} ?)[-–—](?= ?${DAY_OF_MONTH}(?![\\d:/.-]|\\p{Script=Latin}))`,
    `(?<=(?<![\\d/.-])${NUMERIC_DATE} ?)[-–—](?= ?${NUMERIC_DATE}(?![\\d/-]| ?=))`,
  ].join('|'),
  'uy',
);
const LAST_FOLLOWS = new RegExp(`^ ?[-–—] ?${LAST_AND_MONTH}`, 'u');
const FIRST_PRECEDES = new RegExp(`${MONTH_AND_FIRST} ?[-–—] ?$`, 'u');
const LAST_NEXT = new RegExp(LAST_AND_MONTH, 'uy');

/** Whether the last day of a span and its month begin at a place. */
export function isLastDay(text: string, at: number): boolean {
  return matchAt(LAST_NEXT, text, at) !== null;
}

/** Whether a number is one of two days of a span: the fifth of 5-8 June, the eighth of June 5-8. */
export function isDayInSpan(digits: string, { before, after }: TokenContext): boolean {
  return /^(?:[1-9]|[12]\d|3[01])$/.test(digits) && (LAST_FOLLOWS.test(after) || FIRST_PRECEDES.test(before));
}

/** A short month before or after such a dash. */
const MONTH_BESIDE = new RegExp(`^\\.? ?(?:[–—] ?${MONTH}${NOT_LETTER}|['’]\\d\\d(?!\\d))`, 'u');
const MONTH_BEFORE = new RegExp(`(?<!\\p{Script=Latin})${MONTH}\\.? ?[–—] ?$`, 'u');

/** The name of a short month in a span or before its year: Jan–Mar, Jan '25; null elsewhere. */
export function monthInSpan(word: string, before: string, after: string): string | null {
  const name = Object.hasOwn(MONTHS, word) ? MONTHS[word] : undefined;
  return name !== undefined && (MONTH_BESIDE.test(after) || MONTH_BEFORE.test(before)) ? name : null;
}
