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
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const NOT_LETTER = '(?!\\p{Script=Latin})';
/** A long dash between two days or two months: Mon–Fri, January – March. */
export const CALENDAR_DASH = new RegExp(
  [DAY, MONTH].map((name) => `(?<=(?<!\\p{Script=Latin})${name}\\.? ?)[–—](?= ?${name}${NOT_LETTER})`).join('|'),
  'uy',
);
/** A short month before or after such a dash. */
const MONTH_BESIDE = new RegExp(`^\\.? ?[–—] ?${MONTH}${NOT_LETTER}`, 'u');
const MONTH_BEFORE = new RegExp(`(?<!\\p{Script=Latin})${MONTH}\\.? ?[–—] ?$`, 'u');

/** The name of a short month in a span: Jan–Mar; null elsewhere. */
export function monthInSpan(word: string, before: string, after: string): string | null {
  const name = Object.hasOwn(MONTHS, word) ? MONTHS[word] : undefined;
  return name !== undefined && (MONTH_BESIDE.test(after) || MONTH_BEFORE.test(before)) ? name : null;
}
