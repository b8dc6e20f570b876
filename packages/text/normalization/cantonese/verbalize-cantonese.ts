import { verbalizeEnglish } from '#text/normalization/english/verbalize-english.ts';
import {
  decimalNumeral,
  type Token,
  type TokenContext,
  type Numeral,
  type VerbalizedWord,
} from '#text/normalization/tokens.ts';
import { circledNumber } from '#text/normalization/numerals.ts';
import { lettersInHashtag } from '#text/normalization/acronyms.ts';
import {
  isBeforeExponent,
  isBeforeVariableExponent,
  isVariableExponent,
  variableExponent,
  variablePower,
} from '#text/normalization/powers.ts';
import { unitAt } from '#text/normalization/units.ts';
import {
  FLOOR_BEFORE,
  GROUND_BEFORE,
  isBeforeNetworkLength,
  isPerUnit,
  hasNumberSign,
  isKey,
  isStarOfGrade,
  isWeekday,
  MINUS_GRADE_AFTER,
  MINUS_GRADE_BEFORE,
  NOTE_BEFORE,
} from '#text/normalization/short-forms.ts';
import { reignSuffix } from '#text/normalization/reigns.ts';
import { amountInWords, countInWords, digitByDigit, integerInWords, numeralInWords } from './numerals.ts';
import { verbalizeCode } from './verbalize-codes.ts';
import { verbalizeHan } from './verbalize-han.ts';
import { moneyWithoutUnit, verbalizeMoney } from './verbalize-money.ts';
import { continuesVerses, isFurtherVerse, verseInWords } from './verses.ts';
import { durationInWords, verbalizeDate, verbalizeTime, verbalizeYear } from './verbalize-times.ts';
import { UNIT_NAMES } from './unit-names.ts';
import { keyInWords, symbolInWords, THOUSANDS_BEFORE } from './verbalize-signs.ts';

/**
 * Verbalizes a token as in Hong Kong. English parts (letters, names, addresses, English dates)
 * become English words through `verbalizeEnglish`.
 */
export function verbalizeCantonese(token: Token, context: TokenContext): VerbalizedWord[] {
  switch (token.kind) {
    case 'han':
      return verbalizeWeekday(token, context) ?? verbalizeHan(token);
    case 'syllables':
      return one(token, token.syllables.join(' '));
    case 'code':
      return verbalizeCode(token, context.after);
    case 'phone':
      return token.groups.map((group) => ({ written: group, language: 'cantonese', spokenForm: digitByDigit(group) }));
    case 'quantity':
      return verbalizeQuantity(token, context);
    case 'range':
      return verbalizeRange(token, context);
    case 'version':
      return verbalizeVersion(token);
    case 'latin':
    case 'letters':
      if (isVariableExponent(token.text, context)) return one(token, '次方');
      return (
        verbalizeSome(token, context) ??
        verbalizeTimes(token, context) ??
        verbalizeFloor(token, context) ??
        verbalizePerUnit(token, context) ??
        verbalizeEnglish(token, context)
      );
    case 'ordinal':
    case 'email':
    case 'url':
      return verbalizeEnglish(token, context);
    case 'roman':
      return /\p{Script=Latin}\s*$/u.test(context.before)
        ? verbalizeEnglish(token, context)
        : one(token, `${integerInWords(String(token.value))}${reignSuffix(token.value, context)}`);
    case 'hashtag':
      return [...signOfHashtag(token.name, context), ...verbalizeName(token.name, context)];
    case 'mention':
      return verbalizeName(token.name, context);
    case 'symbol':
      return verbalizeInEnglish(token, context) ?? one(token, symbolInWords(token.text, context.before, context.after));
    case 'power':
      return one(token, `嘅${numeralInWords(token.value)}次方`);
    case 'nth-power':
      return variablePower(token.text, 'cantonese', sumInWords(token.added));
    case 'lap':
      return one(
        token,
        `${integerInWords(token.minutes)}分${integerInWords(token.seconds)}秒${digitByDigit(token.fraction)}`,
      );
    case 'duration':
      return one(token, durationInWords(token));
    case 'ratio':
      return one(token, token.members.map(numeralInWords).join('比'));
    case 'mark':
    case 'silent':
      return [];
    default:
      return isEnglish(token) ? verbalizeEnglish(token, context) : one(token, inWords(token, context));
  }
}

const sumInWords = (added: Numeral | null) =>
  added === null ? '' : `${added.sign === '-' ? '減' : '加'}${integerInWords(added.digits)}`;

/** Dates with an English month and decades with s are English. */
function isEnglish(token: Token): boolean {
  return (token.kind === 'date' && token.shape === 'english') || (token.kind === 'year' && token.suffix === 's');
}

function one(token: Token, spokenForm: string): VerbalizedWord[] {
  return spokenForm === '' ? [] : [{ written: token.text, language: 'cantonese', spokenForm }];
}

type Worded = Extract<
  Token,
  { kind: 'number' | 'year' | 'date' | 'time' | 'money' | 'percent' | 'fraction' | 'score' | 'temperature' }
>;

function isVerbalizedAsWords(token: Token): token is Worded {
  return ['number', 'year', 'date', 'time', 'money', 'percent', 'fraction', 'score', 'temperature'].includes(
    token.kind,
  );
}

/** Words before a temperature, of which the degrees below zero are 零下. */
const COLD_BEFORE = /(?:[今聽尋琴昨明]日|[今昨明]天|氣溫|溫度|低至|跌到|跌至|最低|戶外|室外|凍到) ?$/u;

/** Reads a token that is always one word; '' for a silent token. */
function inWords(token: Token, { before, after }: TokenContext): string {
  if (!isVerbalizedAsWords(token)) return '';
  switch (token.kind) {
    case 'number':
      if (circledNumber(token.text) !== null) return numeralInWords(token.value);
      if (isFurtherVerse(before) && !continuesVerses(after)) return `${numeralInWords(token.value)}節`;
      if (isBeforeExponent(before)) return `${numeralInWords(token.value)}次方`;
      if (isBeforeVariableExponent(after)) return `${numeralInWords(token.value)}嘅`;
      if (token.value.sign === '-' && COLD_BEFORE.test(before) && /^ ?度/u.test(after)) return degrees(token.value);
      if (hasNumberSign(token.value.digits, { before, after })) return `${numeralInWords(token.value)}號`;
      // The sign of "+1", a guest, is spoken; degrees with + are above zero.
      return token.value.sign === '+' && !after.startsWith('度')
        ? `加${countInWords({ ...token.value, sign: '' }, before, after)}`
        : countInWords(token.value, before, after);
    case 'year':
      return verbalizeYear(token);
    case 'date':
      return verbalizeDate(token);
    case 'time':
      return verseInWords(token.text, before, after) ?? verbalizeTime(token, before);
    case 'money':
      return verbalizeMoney(token);
    case 'percent':
      // The number 2 is 二 here and never 兩: 百分之二.
      return `${signOf(token.value)}${token.per === 100 ? '百' : '千'}分之${amountInWords(token.value)}`;
    case 'fraction':
      return fractionInWords(token.whole, token.numerator, token.denominator);
    case 'score':
      return verseInWords(token.text, before, after) ?? `${integerInWords(token.home)}比${integerInWords(token.away)}`;
    case 'temperature':
      return `${token.scale === 'C' ? '攝氏' : '華氏'}${degrees(token.value)}度`;
  }
}

/** The letter D, which many write for 啲: 呢D嘢, 快D. */
const SOME_BEFORE =
  /[呢嗰哩邊有冇多快早大少慢平貴靚細高低新舊遠近長短輕重易難勁叻熱凍遲執買食俾畀搵攞睇講做聽整要夠好早啱](?:返|咗|住|得|到|埋)?$/u;

/** Places where 啲 stands before a thing, unless the letter names it: D人, 佢D嘢, not D座. */
const SOME_OF_BEFORE = /(?:^|[，。！？,.!?\n…]\s*|[我你佢哋啲])$/u;
const SOME_OF_AFTER =
  /^(?!單位|盤|出口|小調|大調|罩杯|[級级座室班組组餐杯罩樓楼場场字區区段型线線調调翼房隊队閘閘號号係系嘅是同和或就都先呢])\p{Script=Han}/u;

/** A list of letters, in which D is the next one. */
const LETTERS_BEFORE = /(?<!\p{Script=Latin})[A-Z] ?[，,] ?$/u;
/** Nouns that a letter names, unless 呢 or 嗰 stands before it: D類保險, but 呢D選項. */
const LETTERED_AFTER = /^(?:[類类](?!似)|選項|选项|項(?!目))/u;
const POINTED_BEFORE = /[呢嗰哩]$/u;

function verbalizeSome(token: Token, { before, after }: TokenContext): VerbalizedWord[] | null {
  if (!/^D$/iu.test(token.text) || LETTERS_BEFORE.test(before)) return null;
  if (LETTERED_AFTER.test(after) && !POINTED_BEFORE.test(before)) return null;
  const isSome = SOME_BEFORE.test(before) && !/^[\p{Script=Latin}\d+*#-]/u.test(after);
  return isSome || (SOME_OF_BEFORE.test(before) && SOME_OF_AFTER.test(after)) ? one(token, '啲') : null;
}

function signOf({ sign }: Numeral): string {
  return sign === '-' ? '負' : sign === '+' ? '正' : '';
}

function degrees(value: Numeral): string {
  const amount = value.digits === '2' && value.fraction === null ? '兩' : amountInWords(value);
  return value.sign === '-' ? `零下${amount}` : amount;
}

function fractionInWords(whole: string | null, numerator: string, denominator: string): string {
  const part = `${integerInWords(denominator)}分之${numeralInWords(decimalNumeral(numerator))}`;
  return whole === null ? part : `${integerInWords(whole)}又${part}`;
}

/** Reads the day of the week in brackets after a date: 12/8 (二). */
function verbalizeWeekday({ text }: Token, context: TokenContext): VerbalizedWord[] | null {
  return isWeekday(text, context) ? [{ written: text, language: 'cantonese', spokenForm: `星期${text}` }] : null;
}

const SHARP: VerbalizedWord[] = [{ written: '#', language: 'english', spokenForm: 'sharp' }];

/** Reads the sign before a word: F#小調, #字鍵; before other words it is silent. */
function signOfHashtag(name: string, { before }: TokenContext): VerbalizedWord[] {
  if (NOTE_BEFORE.test(before)) return SHARP;
  return isKey(before, name) ? [{ written: '#', language: 'cantonese', spokenForm: keyInWords('#', name) }] : [];
}

/** Reads the slash of 10.0.0.0/8, the n of 2^n, A+ and A- as grades, C++ and Disney+ as names. */
function verbalizeInEnglish(token: Token, { before, after }: TokenContext): VerbalizedWord[] | null {
  const variable = token.text === '^' ? variableExponent(before, after) : null;
  if (variable !== null) return [{ written: token.text, language: 'english', spokenForm: variable.toUpperCase() }];
  if (token.text === '/' && isBeforeNetworkLength(before, after))
    return [{ written: token.text, language: 'english', spokenForm: 'slash' }];
  if (token.text === '-' && MINUS_GRADE_BEFORE.test(before) && MINUS_GRADE_AFTER.test(after))
    return [{ written: token.text, language: 'english', spokenForm: 'minus' }];
  if (token.text === '*' && isStarOfGrade(before, after))
    return [{ written: token.text, language: 'english', spokenForm: 'star' }];
  if (token.text === '#' && NOTE_BEFORE.test(before) && !/^[\p{Script=Latin}\d]/u.test(after)) return SHARP;
  if (THOUSANDS_BEFORE.test(before)) return null;
  if (token.text !== '+' || !/\p{Script=Latin}\+*$/u.test(before) || /^\s*[\p{Script=Latin}\d$]/u.test(after))
    return null;
  return [{ written: token.text, language: 'english', spokenForm: 'plus' }];
}

/** Reads the sign of multiples and sizes: 牛奶 x 2, 30cm x 20cm. */
function verbalizeTimes(token: Token, { before, after }: TokenContext): VerbalizedWord[] | null {
  const isTimes =
    token.text === 'x' &&
    ((/^\s?\d/.test(after) && /(?:\s|\d|[cm]m)$/u.test(before)) || (/\d\s$/.test(before) && /^\s[\p{L}]/u.test(after)));
  return isTimes ? one(token, '乘') : null;
}

/** Reads a floor: 12/F is 十二樓, G/F 地下. */
function verbalizeFloor(token: Token, { before, after }: TokenContext): VerbalizedWord[] | null {
  if (token.text === 'F' && FLOOR_BEFORE.test(before)) return one(token, '樓');
  if (token.text === 'F' && GROUND_BEFORE.test(before)) return [];
  return token.text === 'G' && /^\/F(?![\p{Script=Latin}\d])/u.test(after) ? one(token, '地下') : null;
}

/** A number in characters, or each, before a unit: 三km, 每㎏. */
const AMOUNT_BEFORE = /[一二兩三四五六七八九十百千萬億半幾零〇數每] ?$/u;
/** Single letters and some words are more often something else than a unit. */
const CLEAR_UNIT = /^(?!in$|ms$|mi$|mph$)(?:[A-Za-zμ²³]{2,5}|[\u3371-\u33DF])$/u;

/** Reads the unit in $38/kg and 三km, which has no number in digits. */
function verbalizePerUnit(token: Token, { before }: TokenContext): VerbalizedWord[] | null {
  const isUnit =
    (before.endsWith('/') && isPerUnit(before.slice(0, -1), token.text)) ||
    /(?<!\p{Lu})\/$/u.test(before) ||
    (AMOUNT_BEFORE.test(before) && CLEAR_UNIT.test(token.text));
  const found = isUnit ? unitAt(token.text, 0) : null;
  const name = found === null || found.length < token.text.length ? null : UNIT_NAMES[found.unit];
  return name !== null && 'after' in name && name.before === '' ? one(token, name.after) : null;
}

/** Reads a number with its unit: 時速六十公里, 兩公斤, 二百五十六 G B. */
function verbalizeQuantity(token: Extract<Token, { kind: 'quantity' }>, context: TokenContext): VerbalizedWord[] {
  // The unit of an engine of 125cc is read by its letters, and so is that of a liquid.
  const name = /(?:cc|㏄)$/iu.test(token.text) ? { letters: 'C C' } : UNIT_NAMES[token.unit];
  if ('after' in name) {
    // The text 時速60km/h has the word 時速 already.
    const prefix = context.before.trimEnd().endsWith(name.before) ? '' : name.before;
    return one(token, `${prefix}${countInWords(token.value, context.before, name.after)}${name.after}`);
  }
  const digits = /^[+-]?[\d.,]*\d/.exec(token.text)?.[0] ?? token.text;
  const unit = token.text.slice(digits.length).trim();
  const number: VerbalizedWord = { written: digits, language: 'cantonese', spokenForm: numeralInWords(token.value) };
  return unit === '' ? [number] : [number, { written: unit, language: 'english', spokenForm: name.letters }];
}

/** Reads a range: 三至五, 一百至二百蚊, 百分之十至二十, 攝氏十八至二十三度. Common parts are spoken once. */
function verbalizeRange(token: Extract<Token, { kind: 'range' }>, context: TokenContext): VerbalizedWord[] {
  const { from, to } = token;
  if (from.kind === 'money' && (to.kind === 'number' || (to.kind === 'money' && to.currency === from.currency))) {
    const money = { ...from, value: to.value, text: to.text };
    const first = moneyWithoutUnit(from) ?? verbalizeMoney(from);
    return one(token, `${first}至${verbalizeMoney(money)}`);
  }
  if ('value' in to && typeof to.value === 'object' && 'value' in from && typeof from.value === 'object') {
    const shared = sharedEnds(from.value, to, context);
    if (shared !== null) return one(token, shared);
  }
  // The hours of 2-3點 are counted, the first one too.
  const first = inWords(from, { before: context.before, after: to.kind === 'time' ? '點' : '' });
  // 24/12-26 ends on a day of the same month.
  if (from.kind === 'date' && to.kind === 'number') return one(token, `${first}至${numeralInWords(to.value)}號`);
  const second = inWords(to, { before: '', after: context.after });
  return one(token, `${first}至${second}`);
}

function sharedEnds(from: Numeral, to: Token, context: TokenContext): string | null {
  switch (to.kind) {
    case 'percent':
      return `${to.per === 100 ? '百' : '千'}分之${amountInWords(from)}至${amountInWords(to.value)}`;
    case 'temperature':
      return `${to.scale === 'C' ? '攝氏' : '華氏'}${degrees(from)}至${degrees(to.value)}度`;
    case 'quantity': {
      const name = UNIT_NAMES[to.unit];
      if (!('after' in name)) return `${numeralInWords(from)}至${numeralInWords(to.value)}`;
      const prefix = context.before.trimEnd().endsWith(name.before) ? '' : name.before;
      return `${prefix}${countInWords(from, '', name.after)}至${countInWords(to.value, '', name.after)}${name.after}`;
    }
    case 'number':
      return `${countInWords(from, context.before, context.after)}至${countInWords(to.value, context.before, context.after)}`;
    case 'money':
      return `${amountInWords(from)}至${verbalizeMoney(to)}`;
    default:
      return null;
  }
}

/** From this many digits on, a number of a version is the number of a build. */
const MIN_BUILD_DIGITS = 4;

/** Reads a version (二點十點三B), and an address of four numbers by single digits. */
function verbalizeVersion({ text, parts, hasV }: Extract<Token, { kind: 'version' }>): VerbalizedWord[] {
  const numbers = hasV ? text.replace(/^[vV]\.? ?/, '') : text;
  const letter = /[a-z]$/.exec(numbers)?.[0] ?? '';
  const isAddress = parts.length === 4 && !hasV && parts.every((part) => Number(part) <= 255);
  const spokenForm = parts
    .map((part) => part.replace(/\D/g, ''))
    .map((part) => (isAddress || part.length >= MIN_BUILD_DIGITS ? digitByDigit(part) : integerInWords(part)))
    .join('點');
  const words: VerbalizedWord[] = [
    { written: numbers.slice(0, numbers.length - letter.length), language: 'cantonese', spokenForm },
  ];
  if (hasV) words.unshift({ written: text.charAt(0), language: 'english', spokenForm: 'V' });
  if (letter !== '') words.push({ written: letter, language: 'english', spokenForm: letter.toUpperCase() });
  return words;
}

/** Reads the name in #word or @name, which may mix scripts. */
function verbalizeName(name: string, context: TokenContext): VerbalizedWord[] {
  const parts = name.match(/\p{Script=Han}+|\d+|[\p{Script=Latin}\p{M}]+|\./gu) ?? [];
  return parts.flatMap((part): VerbalizedWord[] => {
    if (/^\d/.test(part)) return [{ written: part, language: 'cantonese', spokenForm: digitByDigit(part) }];
    if (/^\p{Script=Han}/u.test(part)) return verbalizeHan({ kind: 'han', text: part });
    if (part === '.') return [{ written: part, language: 'english', spokenForm: 'dot' }];
    const letters = lettersInHashtag(part);
    return verbalizeEnglish(
      letters === null ? { kind: 'latin', text: part } : { kind: 'letters', text: part, ...letters },
      context,
    );
  });
}
