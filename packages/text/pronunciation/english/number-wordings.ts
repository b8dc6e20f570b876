import {
  belowHundredInWords,
  digitByDigit,
  integerInWords,
  yearInWords,
} from '#text/normalization/english/english-numbers.ts';
import { reword, rewrite, type Rewrite } from '#text/pronunciation/reword.ts';

const DIGITS = 'oh|zero|one|two|three|four|five|six|seven|eight|nine';
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const DAY = '(?:twenty |thirty )?[a-z]+(?:st|nd|rd|th)';

const ANYWHERE: readonly Rewrite[] = [
  rewrite(/\b(hundred|thousand) and /u, '$1 '),
  rewrite(/^one (?=hundred|thousand|million|dollar|pound|kilo)/u, 'a '),
  // Fifteen hundred for 1,500.
  ...Array.from({ length: 9 }, (_, index) => index + 1).flatMap((thousands) =>
    Array.from({ length: 9 }, (_, index) =>
      rewrite(
        new RegExp(`^${integerInWords(String(thousands))} thousand ${integerInWords(String(index + 1))} hundred`, 'u'),
        `${plain(belowHundredInWords(thousands * 10 + index + 1))} hundred`,
      ),
    ),
  ),
  rewrite(new RegExp(`\\bdouble (${DIGITS})\\b`, 'u'), '$1 $1'),
  rewrite(new RegExp(`\\btriple (${DIGITS})\\b`, 'u'), '$1 $1 $1', 'double $1 $1', '$1 double $1'),
  rewrite(new RegExp(`(?<!\\b(${DIGITS}) )\\b(${DIGITS}) \\2\\b(?! \\2)(?= (?:${DIGITS})\\b)`, 'u'), 'double $2'),
  rewrite(/\bzero point\b/u, 'point', 'nought point', 'oh point'),
  rewrite(/^zero point five ([a-z]+)s$/u, 'half a $1'),
  rewrite(/ point five (?=[a-z])/u, ' and a half '),
  rewrite(/\ba half$/u, 'half', 'one half'),
  rewrite(/\bquarters$/u, 'fourths'),
  rewrite(/\ba quarter$/u, 'one quarter', 'one fourth', 'quarter'),
  rewrite(/^minus /u, 'negative '),
  rewrite(/ degrees Celsius$/u, ' degrees', ' degrees centigrade'),
  rewrite(/\bkilograms\b/u, 'kilos'),
  rewrite(/\b(kilometres|miles|metres) per (hour|second)\b/u, '$1 an $2', '$1 a $2'),
];
/** Cents and pence from ten on, which need no word for the hundredth. */
const HUNDREDTHS = '((?:[a-z]+ty(?: (?!cents|pence)[a-z]+)?|[a-z]+teen|ten|eleven|twelve))$';
const OF_MONEY: readonly Rewrite[] = [
  rewrite(new RegExp(` (dollars?|euros?) ${HUNDREDTHS}`, 'u'), ' $2', ' $1 and $2 cents', ' $1 $2 cents'),
  rewrite(new RegExp(` (pounds?) ${HUNDREDTHS}`, 'u'), ' $2', ' $1 and $2 pence', ' $1 $2 pence'),
  rewrite(/ (dollars?|pounds?|euros?) and ([a-z ]+) (?:cents|pence)$/u, ' $1 $2'),
  rewrite(/ (?:Hong Kong|U S) dollars/u, ' dollars'),
  rewrite(/ Hong Kong dollars/u, ' H K dollars'),
];
/** The ends of a range: pages three through five. */
const OF_RANGES: readonly Rewrite[] = [rewrite(/ to (?=[a-z ]+$)/u, ' through ')];
const OF_DAYS: readonly Rewrite[] = [
  rewrite(new RegExp(`^the (${DAY}) of (${MONTHS})`, 'u'), '$1 of $2', '$2 the $1', '$2 $1', '$1 $2'),
  rewrite(new RegExp(`^(${MONTHS}) the (${DAY})`, 'u'), '$1 $2', 'the $2 of $1', '$2 of $1'),
];

/**
 * The other usual ways to say a number that was written in digits, in words without hyphens: a
 * hundred and five, one oh five and one hundred five for 105, half past nine for 9:30.
 */
export function englishNumberWordings(written: string, spokenForm: string): string[] {
  if (!/\d/u.test(written)) return [];
  const usual = plain(spokenForm);
  return reword([usual, ...asName(written), ...asTime(written)], [...ANYWHERE, ...rulesOf(written, usual)]);
}

function rulesOf(written: string, usual: string): readonly Rewrite[] {
  if (/[$£€]/u.test(written)) return OF_MONEY;
  if (new RegExp(MONTHS, 'u').test(usual)) return OF_DAYS;
  return /\d ?[-–~] ?\d/u.test(written) ? OF_RANGES : [];
}

/** Two to four digits as a number, as a year, in pairs, and one by one. */
function asName(written: string): string[] {
  const [digits] = /^[1-9]\d{1,3}$/u.exec(written) ?? [];
  if (digits === undefined) return [];
  const inPairs = yearInWords(digits);
  const byOne = digitByDigit(digits);
  const forms = [integerInWords(digits), inPairs, byOne, byOne.replaceAll('zero', 'oh')];
  if (digits.length === 3 && /[1-9]\d$/u.test(digits))
    forms.push(`${integerInWords(digits.charAt(0))} ${belowHundredInWords(Number(digits.slice(1)))}`);
  if (digits.length === 4) {
    const rest = Number(digits.slice(2));
    const century = belowHundredInWords(Number(digits.slice(0, 2)));
    forms.push(rest === 0 ? `${century} hundred` : `${century} hundred and ${belowHundredInWords(rest)}`);
    if (rest > 0) forms.push(`${century} ${rest < 10 ? 'oh ' : ''}${belowHundredInWords(rest)}`);
  }
  return forms.map(plain);
}

/** The time of a clock: half past nine, a quarter to eight, five o'clock, two thirty P M. */
function asTime(written: string): string[] {
  const [, hours = '', minutes = '', letter = ''] =
    /^(\d{1,2})[:.](\d{2})(?: ?([AaPp])\.?[Mm]\.?)?$/u.exec(written) ?? [];
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (hours === '' || hour > 24 || minute > 59 || (written.includes('.') && letter === '')) return [];
  const forms: string[] = [];
  const names = hour > 12 || hour === 0 ? [hourName(hour), hourInWords(hour)] : [hourName(hour)];
  for (const name of names) {
    if (minute === 0) forms.push(`${name} o'clock`, name);
    else forms.push(`${name} ${minute < 10 ? 'oh ' : ''}${belowHundredInWords(minute)}`);
    if (minute > 0 && minute < 10) forms.push(`${name} zero ${belowHundredInWords(minute)}`);
  }
  const next = hourName(hour + 1);
  if (minute === 15) forms.push(`a quarter past ${names[0]}`, `quarter past ${names[0]}`);
  else if (minute === 30) forms.push(`half past ${names[0]}`);
  else if (minute === 45) forms.push(`a quarter to ${next}`, `quarter to ${next}`);
  if (minute > 0 && minute < 30) forms.push(`${belowHundredInWords(minute)} past ${names[0]}`);
  if (minute > 30) forms.push(`${belowHundredInWords(60 - minute)} to ${next}`);
  const half = letter === '' ? (hour > 12 ? 'P' : null) : letter.toUpperCase();
  const withHalf = half === null ? [] : [`${forms[0]} ${half} M`];
  return [...forms, ...withHalf].map(plain);
}

/** The name of an hour on the face of a clock. */
const hourName = (hour: number) => belowHundredInWords(hour % 12 === 0 ? 12 : hour % 12);
const hourInWords = (hour: number) => (hour === 0 ? 'zero' : belowHundredInWords(hour));

function plain(words: string): string {
  return words.replaceAll('-', ' ');
}
