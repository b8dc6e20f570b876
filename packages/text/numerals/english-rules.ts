import { ordinalInWords } from '#text/normalization/english/english-numbers.ts';
import { isCounting, writeDigits } from './digits.ts';

const UNITS = 'one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const VALUES = new Map<string, number>([
  ...UNITS.map((word, index): [string, number] => [word, index + 1]),
  ...TEENS.map((word, index): [string, number] => [word, index + 10]),
  ...TENS.map((word, index): [string, number] => [word, (index + 2) * 10]),
]);
const [unit, teen, tens] = [UNITS, TEENS, TENS].map((words) => `(?:${words.join('|')})`);
const BELOW_HUNDRED = `(?:${tens}(?:[ -]${unit})?|${teen}|${unit})`;
const BELOW_THOUSAND = `(?:${unit} hundred(?:(?: and)? ${BELOW_HUNDRED})?|${BELOW_HUNDRED})`;
const WHOLE = `(?:${BELOW_THOUSAND} thousand(?:(?: and)? ${BELOW_THOUSAND})?|${BELOW_THOUSAND})`;
const ANY = `(?:${[...VALUES.keys(), 'hundred', 'thousand', 'million', 'billion', 'point'].join('|')})`;

function parseWhole(text: string): number {
  let total = 0;
  let below = 0;
  for (const word of text.toLowerCase().split(/[ -]/u)) {
    if (word === 'hundred') below *= 100;
    else if (word === 'thousand') {
      total += below * 1_000;
      below = 0;
    } else below += VALUES.get(word) ?? 0;
  }
  return total + below;
}

const written = (text: string) => parseWhole(text).toLocaleString('en-US', { useGrouping: parseWhole(text) >= 10_000 });
const rule = (pattern: string, write: (groups: readonly string[]) => string | null) => ({
  pattern: new RegExp(`(?<!\\b(?:${ANY}|a|and)[ -])\\b${pattern}(?![\\w-])`, 'giu'),
  write,
});

const DIGITS = ['zero', ...UNITS];
const digit = `(?:${[...DIGITS, 'oh'].join('|')})`;
const readDigits = (text: string) =>
  text
    .toLowerCase()
    .split(' ')
    .map((word) => (word === 'oh' ? '0' : String(DIGITS.indexOf(word))))
    .join('');
const DECIMAL = `(${WHOLE}|zero) point (${digit}(?: ${digit})*)`;
const decimal = (whole: string, part: string) => `${written(whole)}.${readDigits(part)}`;

const DAYS = Array.from({ length: 31 }, (_, index) => ordinalInWords(String(index + 1)).replace('-', '[ -]'));
const DAY = `(?:${DAYS.toReversed().join('|')})`;
const MONTH = '(?:January|February|April|June|July|August|September|October|November|December)';
/** These are also verbs: in May third parties may go first. */
const MONTH_OR_VERB = '(?:March|May)';

const ORDINAL_ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' });

/** 1st, 22nd. */
function writeDay(text: string): string {
  const day = DAYS.findIndex((dayPattern) => new RegExp(`^${dayPattern}$`, 'iu').test(text)) + 1;
  return `${day}${ORDINAL_ENDINGS[ordinalRules.select(day)] ?? 'th'}`;
}

/**
 * Rules for the numbers that people write in digits, in the order of precedence; small counts stay
 * words.
 */
export const ENGLISH_RULES = [
  rule(`(${digit}(?: ${digit}){5,})`, ([read = '']) => {
    const digits = readDigits(read);
    return isCounting(digits) ? null : writeDigits(digits);
  }),
  rule(`${DECIMAL} percent`, ([whole = '', part = '']) => `${decimal(whole, part)}%`),
  rule(`${DECIMAL} (million|billion) dollars`, ([whole = '', part = '', scale = '']) => {
    return `$${decimal(whole, part)} ${scale}`;
  }),
  rule(`(${WHOLE}) (million|billion) dollars`, ([amount = '', scale = '']) => `$${written(amount)} ${scale}`),
  rule(`${DECIMAL}(?= (?:million|billion|degrees|hours|times|kilometres|kilograms)\\b)`, ([whole = '', part = '']) => {
    return decimal(whole, part);
  }),
  rule(`(${DAY}) of (${MONTH}|${MONTH_OR_VERB})`, ([day = '', month = '']) => `${writeDay(day)} of ${month}`),
  rule(`(${DAY}) (${MONTH})`, ([day = '', month = '']) => `${writeDay(day)} ${month}`),
  rule(`(${MONTH}) (the )?(${DAY})`, ([month = '', the = '', day = '']) => `${month} ${the}${writeDay(day)}`),
  rule(`(${WHOLE}) dollars and (${BELOW_HUNDRED}) cents`, ([dollars = '', cents = '']) => {
    return `$${written(dollars)}.${String(parseWhole(cents)).padStart(2, '0')}`;
  }),
  rule(`(${WHOLE}) dollars`, ([amount = '']) => `$${written(amount)}`),
  rule(`(${WHOLE}) percent`, ([amount = '']) => `${written(amount)}%`),
  rule(
    `((?:${teen}|${unit})) (${tens}(?:[ -]${unit})?|${teen}) ([ap]\\.?m\\.?)`,
    ([hour = '', minute = '', half = '']) => {
      return parseWhole(hour) > 12 ? null : `${parseWhole(hour)}:${parseWhole(minute)} ${half}`;
    },
  ),
  rule(`(nineteen|twenty) (${tens}(?:[ -]${unit})?|${teen})(?! ${ANY}\\b)`, ([century = '', year = '']) => {
    return `${parseWhole(century)}${parseWhole(year)}`;
  }),
  rule(`(${WHOLE})(?! (?:${ANY}|and ${ANY}|or ${ANY})\\b)`, ([count = '']) => {
    return /[ -]/u.test(count) ? written(count) : null;
  }),
];
