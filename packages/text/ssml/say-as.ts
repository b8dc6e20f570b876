import type { Language } from '@jyutsing/contracts/transcript';
import {
  digitByDigit as cantoneseDigits,
  integerInWords as cantoneseInteger,
} from '#text/normalization/cantonese/numerals.ts';
import { digitByDigit as englishDigits, ordinalInWords } from '#text/normalization/english/english-numbers.ts';
import { integerInWords as mandarinInteger } from '#text/normalization/mandarin/chinese-numbers.ts';
import { numeralAt } from '#text/normalization/numerals.ts';
import { tokenize } from '#text/normalization/tokenize.ts';
import type { Token, TokenMeaning } from '#text/normalization/tokens.ts';
import { NAMES_OF_SIGNS } from './names-of-signs.ts';

/** The attributes of an element `say-as`. */
export type SayAs = { interpretAs: string; format: string; detail: string };

/** More digits or letters in a row are several words, which can be spoken in several breaths. */
const SIGNS_PER_WORD = 12;

type Interpret = (text: string, hints: SayAs, language: Language) => readonly Token[] | null;

const INTERPRETATIONS: ReadonlyMap<string, Interpret> = new Map(
  (
    [
      [['characters', 'character', 'spell-out', 'spell', 'verbatim', 'letters', 'glyphs', 'alphanumeric'], spellOut],
      [['digits', 'digit', 'number_digit'], readDigits],
      [['telephone', 'phone'], readTelephone],
      [['date'], readDate],
      [['time'], readTime],
      [['duration'], readDuration],
      [['cardinal', 'number', 'integer', 'decimal'], readNumber],
      [['ordinal'], readOrdinal],
      [['fraction'], readFraction],
      [['currency'], readCurrency],
      [['unit', 'measure', 'address', 'name', 'net', 'text'], () => null],
    ] satisfies [string[], Interpret][]
  ).flatMap(([names, interpret]) => names.map((name) => [name, interpret] as const)),
);

/** Whether `interpret-as` has that meaning here; otherwise the text is read as it is written. */
export function isInterpreted(interpretAs: string): boolean {
  return INTERPRETATIONS.has(kindOf(interpretAs).kind);
}

/** The words of a text as `say-as` wants them; null where the text is not of that kind. */
export function interpret(text: string, sayAs: SayAs, language: Language): readonly Token[] | null {
  const { kind, format } = kindOf(sayAs.interpretAs);
  return INTERPRETATIONS.get(kind)?.(text, { ...sayAs, format: sayAs.format || format }, language) ?? null;
}

/** Some services write a prefix (vxml:date), or the format after the kind (date:mdy). */
function kindOf(interpretAs: string): { kind: string; format: string } {
  const [kind = '', format = ''] = interpretAs
    .trim()
    .toLowerCase()
    .replace(/^vxml:/, '')
    .split(':');
  return { kind, format };
}

/** A word with that spoken form; the names of letters and some signs are English everywhere. */
const wordOf = (text: string, spokenForm: string, language: Language): Token => ({
  kind: 'given',
  text,
  language: /^[A-Za-z]/.test(spokenForm) ? 'english' : language,
  spokenForm,
  reading: [],
});

const DIGITS_IN_WORDS: Readonly<Record<Language, (digits: string) => string>> = {
  cantonese: cantoneseDigits,
  mandarin: cantoneseDigits,
  english: englishDigits,
};

function digitTokens(digits: string, language: Language): Token[] {
  const words = digits.match(new RegExp(`\\d{1,${SIGNS_PER_WORD}}`, 'g')) ?? [];
  return words.map((word) => wordOf(word, DIGITS_IN_WORDS[language](word), language));
}

const SPELT = new RegExp(`\\d+|(?:\\p{Script=Latin}\\p{M}*){1,${SIGNS_PER_WORD}}|\\S`, 'gu');

/** Reads every letter, digit, character and sign; white space is silent. */
function spellOut(text: string, _hints: SayAs, language: Language): Token[] {
  return (text.match(SPELT) ?? []).flatMap((part): Token[] => {
    if (/^\d/.test(part)) return digitTokens(part, language);
    if (/^\p{Script=Latin}/u.test(part)) {
      const letters = part.normalize('NFD').replaceAll(/\P{L}/gu, '').toUpperCase();
      return [wordOf(part, [...letters].join(' '), language)];
    }
    if (/^\p{Script=Han}/u.test(part)) return [{ kind: 'han', text: part }];
    const name = NAMES_OF_SIGNS[part]?.[language];
    return [name === undefined ? { kind: 'silent', text: part } : wordOf(part, name, language)];
  });
}

function readDigits(text: string, _hints: SayAs, language: Language): Token[] | null {
  if (!/\d/.test(text)) return null;
  return (text.match(/\d+|[^\d\s]+/gu) ?? []).flatMap((part) =>
    /^\d/.test(part) ? digitTokens(part, language) : tokenize(part, language).map(({ token }) => token),
  );
}

function readTelephone(text: string): Token[] | null {
  const groups = text.match(/\d+/gu);
  if (groups === null || /[\p{L}]/u.test(text)) return null;
  return [{ kind: 'phone', text, groups, plus: text.trimStart().startsWith('+') }];
}

/** The parts of a date in the order of a format; null for another format. */
function orderOf(format: string): ('y' | 'm' | 'd')[] | null {
  const letters = format.toLowerCase().replaceAll(/[^ymd]/gu, '');
  const order = [...letters.replaceAll(/(.)\1+/gu, '$1')];
  return order.length > 0 && order.length === new Set(order).size ? (order as ('y' | 'm' | 'd')[]) : null;
}

const WIDTHS = { y: 4, m: 2, d: 2 } as const;

/** Amazon writes question marks for a year that is not told: ????1205. */
const WITHOUT_YEAR = /^\s*\?{4}\d{4}\s*$/u;

function readDate(text: string, { format }: SayAs): Token[] | null {
  const order = orderOf(WITHOUT_YEAR.test(text) ? 'md' : format);
  if (order === null) return null;
  let numbers: string[] = text.match(/\d+/gu) ?? [];
  const [only = ''] = numbers;
  const width = order.reduce((sum, part) => sum + WIDTHS[part], 0);
  if (numbers.length === 1 && order.length > 1 && only.length === width) {
    let at = 0;
    numbers = order.map((part) => only.slice(at, (at += WIDTHS[part])));
  }
  if (numbers.length !== order.length || /\p{Script=Latin}/u.test(text)) return null;
  const valueOf = (part: 'y' | 'm' | 'd') => numbers[order.indexOf(part)] ?? null;
  const [year, month, day] = [valueOf('y'), numberOf(valueOf('m')), numberOf(valueOf('d'))];
  if ((month !== null && !(month >= 1 && month <= 12)) || (day !== null && !(day >= 1 && day <= 31))) return null;
  if (year !== null && month === null && day === null) return [{ kind: 'year', text, digits: year, suffix: '年' }];
  const shape = {
    shape: /[年月日號号]/u.test(text) ? 'chinese' : 'numeric',
    dayWord: /日/u.test(text) ? '日' : '',
  } as const;
  return [{ kind: 'date', text, year, month, day, ...shape }];
}

const numberOf = (digits: string | null) => (digits === null ? null : Number(digits));

const CLOCK = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?\s*([ap])?\.?m?\.?$/iu;
/** Minutes and seconds: 1'21". */
const DURATION = /^(\d{1,3})'(?:(\d{1,2})(?:"|''))?$/u;

function readTime(text: string, { format }: SayAs): Token[] | null {
  const duration = DURATION.exec(text);
  if (duration !== null) {
    const [whole, minutes = '', seconds] = duration;
    const minutesText = whole.slice(0, minutes.length + 1);
    const first: Token = { kind: 'quantity', text: minutesText, value: plain(minutes), unit: 'min' };
    if (seconds === undefined) return [first];
    return [first, { kind: 'quantity', text: whole.slice(minutesText.length), value: plain(seconds), unit: 's' }];
  }
  const [, hourText = '', minuteText, secondText, letter] = CLOCK.exec(text) ?? [];
  const [hour, minute, second] = [Number(hourText), Number(minuteText ?? 0), Number(secondText ?? 0)];
  if (hourText === '' || hour > 24 || minute > 59 || second > 59) return null;
  const half = letter === undefined || /24/.test(format) ? null : letter.toLowerCase() === 'a' ? 'am' : 'pm';
  const time = {
    hour,
    minute: minuteText === undefined ? null : minute,
    second: secondText === undefined ? null : second,
  };
  return [{ kind: 'time', text, ...time, isHalf: false, half, shape: 'clock' }];
}

const HOURS_TO_SECONDS = /^(?:(\d{1,3}:))?(\d{1,3}:)(\d{1,2})$/;

/** Reads hours, minutes and seconds: 01:18:30, 4:30; without what is none. */
function readDuration(text: string, sayAs: SayAs): Token[] | null {
  const [whole, hours, minutes = '', seconds = ''] = HOURS_TO_SECONDS.exec(text) ?? [];
  if (whole === undefined) return readTime(text, sayAs);
  const isShort = /^hm$/iu.test(sayAs.format) && hours === undefined;
  const [long, short] = isShort ? (['h', 'min'] as const) : (['min', 's'] as const);
  const parts = [
    { text: hours ?? '', unit: 'h' },
    { text: minutes, unit: long },
    { text: seconds, unit: short },
  ] as const;
  const tokens: Token[] = [];
  for (const [index, { text: written, unit }] of parts.entries()) {
    const amount = Number.parseInt(written, 10);
    const last = tokens.at(-1);
    const isZero = index === parts.length - 1 && tokens.every(({ kind }) => kind === 'silent');
    if (amount > 0 || isZero) tokens.push({ kind: 'quantity', text: written, value: plain(String(amount)), unit });
    else if (last === undefined) tokens.push({ kind: 'silent', text: written });
    else last.text += written;
  }
  return tokens.filter(({ text: written }) => written !== '');
}

const plain = (digits: string) => numeralAt(digits, 0, { isMoney: false })!.value;

/** The meaning of a text that is one number. */
function numeralOf(text: string) {
  const bare = text.replaceAll(/(?<=\d) (?=\d{3}(?!\d))/gu, '');
  const found = numeralAt(bare, 0, { isMoney: false });
  return found !== null && found.length === bare.length ? found.value : null;
}

/** Reads a number; its `format` may say that it is another kind of number. */
function readNumber(text: string, sayAs: SayAs, language: Language): readonly Token[] | null {
  if (sayAs.format === 'ordinal') return readOrdinal(text, sayAs, language);
  if (sayAs.format === 'digits' || sayAs.format === 'telephone') return readDigits(text, sayAs, language);
  const value = numeralOf(text);
  return value === null ? null : [{ kind: 'number', text, value }];
}

function readOrdinal(text: string, _hints: SayAs, language: Language): Token[] | null {
  const digits = /^第?\s*(\d{1,15})\s*(?:st|nd|rd|th|\.)?$/iu.exec(text)?.[1];
  if (digits === undefined) return null;
  if (language === 'english') return [wordOf(text, ordinalInWords(digits), language)];
  return [wordOf(text, `第${(language === 'mandarin' ? mandarinInteger : cantoneseInteger)(digits)}`, language)];
}

function readFraction(text: string): Token[] | null {
  const match = /^(?:(\d{1,6})\s*[+ ]\s*)?(\d{1,6})\s*[/⁄]\s*(\d{1,6})$/u.exec(text);
  if (match === null || Number(match[3]) === 0) return null;
  const [, whole = null, numerator = '', denominator = ''] = match;
  return [{ kind: 'fraction', text, whole, numerator, denominator }];
}

/** Reads an amount with a currency in the text (HK$12.5, 99.9 USD, USD99.9) or in an attribute. */
function readCurrency(text: string, { format, detail }: SayAs, language: Language): Token[] | null {
  const only = onlyToken(text, language, 'money');
  if (only !== null) return [only];
  const value = numeralOf(text);
  const meaning = value === null ? null : onlyToken(`${format || detail}1`.toUpperCase(), language, 'money');
  if (value === null || meaning === null || meaning.kind !== 'money') return null;
  return [{ ...meaning, text, value }];
}

function onlyToken(text: string, language: Language, kind: TokenMeaning['kind']): Token | null {
  const [first, ...more] = tokenize(text, language);
  return first !== undefined && more.length === 0 && first.token.kind === kind ? first.token : null;
}
