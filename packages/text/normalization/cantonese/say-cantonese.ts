import { sayEnglish } from '#text/normalization/english/say-english.ts';
import type { Item, ItemContext, Numeral, SaidWord } from '#text/normalization/tokens.ts';
import { lettersOf } from '#text/normalization/capital-words.ts';
import { unitAt } from '#text/normalization/units.ts';
import { amountInWords, countInWords, digitByDigit, integerInWords, numeralInWords } from './numerals.ts';
import { sayCode } from './say-codes.ts';
import { sayHan } from './say-han.ts';
import { moneyWithoutUnit, sayMoney } from './say-money.ts';
import { sayDate, sayTime, sayYear } from './say-times.ts';
import { SYMBOL_NAMES, SYMBOL_NAMES_IN_SUMS, UNIT_NAMES } from './unit-names.ts';

/**
 * How a Hongkonger reads an item aloud. What is English in it (letters, names, addresses, English dates) is English: said by `sayEnglish`
 * and its own words.
 */
export function sayCantonese(item: Item, context: ItemContext): SaidWord[] {
  switch (item.kind) {
    case 'han':
      return sayHan(item.text);
    case 'code':
      return sayCode(item);
    case 'phone':
      return item.groups.map((group) => ({ written: group, language: 'cantonese', said: digitByDigit(group) }));
    case 'quantity':
      return sayQuantity(item, context);
    case 'range':
      return sayRange(item, context);
    case 'version':
      return sayVersion(item);
    case 'latin':
    case 'letters':
      return (
        sayTimes(item, context) ?? sayFloor(item, context) ?? sayPerUnit(item, context) ?? sayEnglish(item, context)
      );
    case 'ordinal':
    case 'email':
    case 'url':
      return sayEnglish(item, context);
    case 'roman':
      return /\p{Script=Latin}\s*$/u.test(context.before)
        ? sayEnglish(item, context)
        : one(item, integerInWords(String(item.value)));
    case 'hashtag':
    case 'mention':
      return sayName(item.name, context);
    case 'symbol':
      return sayGrade(item, context) ?? one(item, symbolInWords(item.text, context.before, context.after));
    case 'mark':
    case 'silent':
      return [];
    default:
      return isEnglish(item) ? sayEnglish(item, context) : one(item, inWords(item, context));
  }
}

/** Dates with the name of a month and decades with s are English. */
function isEnglish(item: Item): boolean {
  return (item.kind === 'date' && item.shape === 'english') || (item.kind === 'year' && item.suffix === 's');
}

function one(item: Item, said: string): SaidWord[] {
  return said === '' ? [] : [{ written: item.text, language: 'cantonese', said }];
}

type Worded = Extract<
  Item,
  { kind: 'number' | 'year' | 'date' | 'time' | 'money' | 'percent' | 'fraction' | 'score' | 'temperature' }
>;

function isWorded(item: Item): item is Worded {
  return ['number', 'year', 'date', 'time', 'money', 'percent', 'fraction', 'score', 'temperature'].includes(item.kind);
}

/** What is one word whatever it holds; '' for what is silent. */
function inWords(item: Item, { before, after }: ItemContext): string {
  if (!isWorded(item)) return '';
  switch (item.kind) {
    case 'number':
      // "+1" of somebody who comes along; degrees are above zero.
      return item.value.sign === '+' && !after.startsWith('度')
        ? `加${countInWords({ ...item.value, sign: '' }, before, after)}`
        : countInWords(item.value, before, after);
    case 'year':
      return sayYear(item);
    case 'date':
      return sayDate(item);
    case 'time':
      return sayTime(item, before);
    case 'money':
      return sayMoney(item);
    case 'percent':
      return `${signOf(item.value)}${item.per === 100 ? '百' : '千'}分之${amountAsSuch(item.value)}`;
    case 'fraction':
      return fractionInWords(item.whole, item.numerator, item.denominator);
    case 'score':
      return `${integerInWords(item.home)}比${integerInWords(item.away)}`;
    case 'temperature':
      return `${item.scale === 'C' ? '攝氏' : '華氏'}${degrees(item.value)}度`;
  }
}

function signOf({ sign }: Numeral): string {
  return sign === '-' ? '負' : sign === '+' ? '正' : '';
}

/** Never 兩: 百分之二. */
function amountAsSuch(value: Numeral): string {
  return amountInWords(value);
}

function degrees(value: Numeral): string {
  const amount = value.digits === '2' && value.fraction === null ? '兩' : amountInWords(value);
  return value.sign === '-' ? `零下${amount}` : amount;
}

function fractionInWords(whole: string | null, numerator: string, denominator: string): string {
  const part = `${integerInWords(denominator)}分之${integerInWords(numerator)}`;
  return whole === null ? part : `${integerInWords(whole)}又${part}`;
}

/** A+, of a mark. */
function sayGrade(item: Item, { before, after }: ItemContext): SaidWord[] | null {
  if (item.text !== '+' || !/(?<![\p{Script=Latin}\d])[A-F]$/u.test(before) || /^[\p{Script=Latin}\d]/u.test(after))
    return null;
  return [{ written: item.text, language: 'english', said: 'plus' }];
}

/** 牛奶 x 2, 30cm x 20cm. */
function sayTimes(item: Item, { before, after }: ItemContext): SaidWord[] | null {
  const isTimes = item.text === 'x' && /^\s?\d/.test(after) && /(?:\s|\d|[cm]m)$/u.test(before);
  return isTimes ? one(item, '乘') : null;
}

/** 12/F is 十二樓, G/F 地下. */
function sayFloor(item: Item, { before, after }: ItemContext): SaidWord[] | null {
  if (item.text === 'F' && /\d\/$/.test(before)) return one(item, '樓');
  if (item.text === 'F' && /(?<!\p{Script=Latin})G\/$/u.test(before)) return [];
  return item.text === 'G' && /^\/F(?![\p{Script=Latin}\d])/u.test(after) ? one(item, '地下') : null;
}

/** The unit of $38/kg, which stands without a number. */
function sayPerUnit(item: Item, { before }: ItemContext): SaidWord[] | null {
  const found = before.endsWith('/') ? unitAt(item.text, 0) : null;
  const name = found === null || found.length < item.text.length ? null : UNIT_NAMES[found.unit];
  return name !== null && 'after' in name && name.before === '' ? one(item, name.after) : null;
}

/** Signs beside one number: >50, ~5, 30+. */
function signOfAmount(sign: string, before: string, after: string): string | null {
  const isBefore = /^\s*[\d$]/.test(after);
  if (isBefore && !/\d\s*$/.test(before)) return { '>': '超過', '<': '少過', '~': '大約', '～': '大約' }[sign] ?? null;
  // Grades of the examination: 5*, 5**.
  if (sign === '*' && /5\**$/.test(before) && !/^\**\d/.test(after)) return '星';
  if (sign === '/' && /(?:[$€£¥] ?[\d,.]+|[蚊元])$/u.test(before)) return '每';
  if (sign !== '+' || !/\d$/.test(before) || /^\s*[\d(]/.test(after)) return null;
  return before.endsWith('0') && /^\p{Script=Han}/u.test(after) ? '幾' : '以上';
}

function symbolInWords(sign: string, before: string, after: string): string {
  const beside = signOfAmount(sign, before, after);
  if (beside !== null) return beside;
  const isSum = /[\d)）]\s*$/u.test(before) && /^\s*[\d(（]/u.test(after);
  if (sign === '&' && !/\p{Script=Han}\s*$/u.test(before)) return '';
  return SYMBOL_NAMES[sign] ?? (isSum && sign !== '/' ? SYMBOL_NAMES_IN_SUMS[sign] : undefined) ?? '';
}

/** 時速六十公里, 兩公斤, 二百五十六 G B. */
function sayQuantity(item: Extract<Item, { kind: 'quantity' }>, context: ItemContext): SaidWord[] {
  const name = UNIT_NAMES[item.unit];
  if ('after' in name) {
    // 時速60km/h says it already.
    const prefix = context.before.trimEnd().endsWith(name.before) ? '' : name.before;
    return one(item, `${prefix}${countInWords(item.value, context.before, name.after)}${name.after}`);
  }
  const digits = /^[+-]?[\d.,]*\d/.exec(item.text)?.[0] ?? item.text;
  const unit = item.text.slice(digits.length).trim();
  const number: SaidWord = { written: digits, language: 'cantonese', said: numeralInWords(item.value) };
  return unit === '' ? [number] : [number, { written: unit, language: 'english', said: name.letters }];
}

/** 三至五, 一百至二百蚊, 百分之十至二十, 攝氏十八至二十三度: what both ends share is said once. */
function sayRange(item: Extract<Item, { kind: 'range' }>, context: ItemContext): SaidWord[] {
  const { from, to } = item;
  if (from.kind === 'money' && (to.kind === 'number' || (to.kind === 'money' && to.currency === from.currency))) {
    const money = { ...from, value: to.value, text: to.text };
    const first = moneyWithoutUnit(from) ?? sayMoney(from);
    return one(item, `${first}至${sayMoney(money)}`);
  }
  if ('value' in to && typeof to.value === 'object' && 'value' in from && typeof from.value === 'object') {
    const shared = sharedEnds(from.value, to, context);
    if (shared !== null) return one(item, shared);
  }
  const first = inWords(from, { before: context.before, after: '' });
  const second = inWords(to, { before: '', after: context.after });
  return one(item, `${first}至${second}`);
}

function sharedEnds(from: Numeral, to: Item, context: ItemContext): string | null {
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
      return `${amountInWords(from)}至${sayMoney(to)}`;
    default:
      return null;
  }
}

function sayVersion(item: Extract<Item, { kind: 'version' }>): SaidWord[] {
  const numbers: SaidWord = {
    written: item.hasV ? item.text.replace(/^[vV]\.? ?/, '') : item.text,
    language: 'cantonese',
    said: item.parts
      .map((part) => (/^\d+$/.test(part) ? integerInWords(part) : digitByDigit(part).replace(/[a-z]/, '')))
      .join('點'),
  };
  return item.hasV ? [{ written: item.text.charAt(0), language: 'english', said: 'V' }, numbers] : [numbers];
}

/** The name of a #word or an @name, which may be of both scripts. */
function sayName(name: string, context: ItemContext): SaidWord[] {
  const parts = name.match(/\p{Script=Han}+|\d+|[\p{Script=Latin}\p{M}]+/gu) ?? [];
  return parts.flatMap((part): SaidWord[] => {
    if (/^\d/.test(part)) return [{ written: part, language: 'cantonese', said: digitByDigit(part) }];
    if (/^\p{Script=Han}/u.test(part)) return sayHan(part);
    const letters = lettersOf(part, false);
    return sayEnglish(
      letters === null ? { kind: 'latin', text: part } : { kind: 'letters', text: part, ...letters },
      context,
    );
  });
}
