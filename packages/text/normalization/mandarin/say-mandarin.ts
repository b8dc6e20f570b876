import { sayEnglish } from '#text/normalization/english/say-english.ts';
import type { CodePart, Item, ItemContext, Numeral, SaidWord, SayItem } from '#text/normalization/tokens.ts';
import { isCounted, sayDigits, sayNumeral, sayWhole, signOf } from './chinese-numbers.ts';
import { SYMBOL_WORDS, UNIT_LETTERS, UNIT_WORDS } from './mandarin-units.ts';
import { sayMoney } from './say-mandarin-money.ts';
import { sayDate, sayTime, sayYear } from './say-mandarin-times.ts';

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const NOT_HAN = /[^\p{Script=Han}]/gu;

/**
 * How an item of any kind is said in Mandarin; see `SayItem`. Numbers are said in Simplified characters, what is written in characters
 * stays as it is. Our choices where usage is divided: 到 between the ends of a range, 幺 for 1 in telephone, room and bus numbers,
 * 块 for ¥ below a thousand or with cents (十二块五) and 元 otherwise, 摄氏度 after the number.
 */
export const sayMandarin: SayItem = (item, context) => {
  const said = saidOf(item, context);
  if (said !== null) return said === '' ? [] : [{ written: item.text, language: 'mandarin', said }];
  return saidInParts(item, context);
};

/** What is one word of Mandarin as a whole; null: it is not. */
function saidOf(item: Item, context: ItemContext): string | null {
  switch (item.kind) {
    case 'number':
      return sayNumber(item.value, context);
    case 'ordinal':
      return `第${sayNumeral(item.value)}`;
    case 'year':
      return sayYear(item);
    case 'date':
      return sayDate(item);
    case 'time':
      return sayTime(item, context.before);
    case 'money':
      return sayMoney(item);
    case 'percent':
      return `${signOf(item.value)}${item.per === 100 ? '百' : '千'}分之${sayNumeral(unsigned(item.value))}`;
    case 'fraction':
      return sayFraction(item);
    case 'range':
      return lettersOfUnit(item) === null ? sayRange(item.from, item.to, context) : null;
    case 'score':
      return `${sayWhole(item.home)}比${sayWhole(item.away)}`;
    case 'temperature':
      return `${item.value.sign === '-' ? '零下' : ''}${sayNumeral(unsigned(item.value))}${item.scale === 'C' ? '摄氏度' : '华氏度'}`;
    case 'quantity':
      if (lettersOfUnit(item) !== null) return null;
      return sayNumeral(item.value, { counts: item.unit !== '°' }) + UNIT_WORDS[item.unit];
    case 'roman':
      return sayWhole(String(item.value));
    case 'letters':
      // 5/F is how Hong Kong writes the fifth floor; 3 x 4.
      if (item.letters === 'F' && /\d\/$/.test(context.before)) return '楼';
      return item.letters === 'X' && SUM_BEFORE.test(context.before) && /^\s*\d/.test(context.after) ? '乘' : null;
    case 'symbol':
      return symbolWord(item.text, context);
    case 'mark':
    case 'silent':
      return '';
    default:
      return null;
  }
}

function saidInParts(item: Item, context: ItemContext): SaidWord[] {
  switch (item.kind) {
    case 'han':
      return sayCharacters(item.text);
    case 'quantity':
    case 'range':
      return sayWithLetters(item, context);
    case 'phone':
      return item.groups.map((group, index) => {
        const plus = item.plus && index === 0;
        return {
          written: plus ? `+${group}` : group,
          language: 'mandarin',
          said: (plus ? '加' : '') + sayDigits(group, '幺'),
        };
      });
    case 'code':
      return item.parts.flatMap(sayCodePart);
    case 'version':
      return sayVersion(item, context.before);
    case 'email':
    case 'url':
      return sayEnglish(item, context).map(inChineseAddress);
    case 'hashtag': {
      // The key of a telephone, not a name: #号键.
      const hash: SaidWord[] = IS_KEY.test(item.name) ? [{ written: '#', language: 'mandarin', said: '井' }] : [];
      return [...hash, ...sayName(item.name)];
    }
    case 'mention':
      return sayName(item.name);
    default:
      return sayEnglish(item, context);
  }
}

const unsigned = (value: Numeral): Numeral => ({ ...value, sign: '' });

const SUM_BEFORE = /\d\s*$/u;
/** 5 - 3, 5-3=2, but not the numbers of a list. */
const SUM_AFTER = /^(?:\s+\d|\d+(?:\.\d+)?\s*=)/u;

const IS_KEY = /^[号號键鍵]/u;
const GENERATION = /^(?:[5-9][05]|[01]0|05)$/;

function sayNumber(value: Numeral, { before, after }: ItemContext): string {
  const { digits, sign, fraction } = value;
  // 90后 are those born in the nineties.
  if (/^[后後](?![退面来來天])/u.test(after) && GENERATION.test(digits) && fraction === null) return sayDigits(digits);
  if (digits === '24' && after.startsWith('/7')) return '二十四小时';
  if (digits === '7' && before.endsWith('24/')) return '七天';
  // 701年-762年: what looks like a sign joins two times.
  const isSpan = sign === '-' && /[年月日号號时時]$/u.test(before) && /^[年月日号號时時]/u.test(after);
  return isSpan ? `到${sayNumeral(unsigned(value))}` : sayNumeral(value, { counts: isCounted(before, after) });
}

/** Between numbers − is 减 (and joins otherwise). */
function symbolWord(sign: string, { before, after }: ItemContext): string {
  if (sign === '-') return SUM_BEFORE.test(before) && SUM_AFTER.test(after) ? '减' : '';
  if (sign === '~' || sign === '～') return /^\s*\d/u.test(after) ? '约' : '';
  const isKey = IS_KEY.test(after);
  if (sign === '#') return isKey ? '井' : '';
  if (sign === '*') return isKey ? '星' : SUM_BEFORE.test(before) && /^\s*\d/u.test(after) ? '乘' : '';
  if (sign === '·' || sign === '•') return /\d$/u.test(before) && /^\d/u.test(after) ? '点' : '';
  return SYMBOL_WORDS[sign] ?? '';
}

/** Chinese characters, word for word. */
function sayCharacters(text: string): SaidWord[] {
  const words: SaidWord[] = [];
  for (const { segment } of WORDS.segment(text)) {
    const said = segment.replace(NOT_HAN, '');
    if (said !== '') words.push({ written: segment, language: 'mandarin', said });
  }
  return words;
}

/** GB is said in English letters: what they are; null: the unit has a word. */
function lettersOfUnit(item: Item): string | null {
  if (item.kind === 'range') return lettersOfUnit(item.to);
  return item.kind === 'quantity' ? (UNIT_LETTERS[item.unit] ?? null) : null;
}

function withoutUnit(item: Item): Item {
  return item.kind === 'quantity' ? { text: item.text, kind: 'number', value: item.value } : item;
}

/** 十六 and G B, two words. */
function sayWithLetters(item: Extract<Item, { kind: 'quantity' | 'range' }>, context: ItemContext): SaidWord[] {
  const bare =
    item.kind === 'range' ? { ...item, from: withoutUnit(item.from), to: withoutUnit(item.to) } : withoutUnit(item);
  const [, number = item.text, unit = ''] = /^(.*?)\s*(\p{Script=Latin}+)$/su.exec(item.text) ?? [];
  const said = saidOf(bare, { before: context.before, after: '' }) ?? '';
  const words: SaidWord[] = [{ written: number, language: 'mandarin', said }];
  return unit === '' ? words : [...words, { written: unit, language: 'english', said: lettersOfUnit(item) ?? unit }];
}

function sayFraction({ whole, numerator, denominator }: Extract<Item, { kind: 'fraction' }>): string {
  const part = `${sayWhole(denominator)}分之${sayWhole(numerator)}`;
  return whole === null ? part : `${sayWhole(whole)}又${part}`;
}

/** The unit of the second is meant for both: 三到五块, 百分之十到二十. */
function sayRange(from: Item, to: Item, context: ItemContext): string {
  const counts = isCounted(context.before, context.after) || !('value' in to) || to.kind !== 'number';
  if ('value' in from && 'value' in to && typeof from.value === 'object' && typeof to.value === 'object') {
    const start = sayNumeral(unsigned(from.value), { counts });
    if (to.kind === 'percent') {
      const isEach = from.kind === 'percent';
      const end = isEach ? saidOf(to, context) : sayNumeral(to.value);
      return `${signOf(from.value)}${to.per === 100 ? '百' : '千'}分之${sayNumeral(unsigned(from.value))}到${end}`;
    }
    const below = to.kind === 'temperature' && from.value.sign === '-' ? '零下' : signOf(from.value);
    // $3-5: the sign before is meant for both.
    const end = from.kind === 'money' && to.kind === 'number' ? { ...from, text: from.text, value: to.value } : to;
    // 零下五到三 could be meant below zero at both ends.
    const above = below === '零下' && to.value.sign !== '-' ? '零上' : '';
    return `${below}${start}到${above}${saidOf(end, context) ?? ''}`;
  }
  return `${saidOf(from, context) ?? ''}到${saidOf(to, { before: '', after: context.after }) ?? ''}`;
}

function sayCodePart(part: CodePart): SaidWord[] {
  if (part.kind !== 'digits') {
    const said = part.kind === 'letters' ? [...part.text.toUpperCase()].join(' ') : part.text;
    return [{ written: part.text, language: 'english', said }];
  }
  const said = part.text.length > 2 ? sayDigits(part.text, '幺') : sayWhole(part.text);
  return [{ written: part.text, language: 'mandarin', said }];
}

function sayVersion({ text, parts, hasV }: Extract<Item, { kind: 'version' }>, before: string): SaidWord[] {
  const numbers = hasV ? text.replace(/^[vV]\.?\s*/, '') : text;
  const letter = /[a-z]$/.exec(numbers)?.[0] ?? '';
  // Of an address every digit is said; of a version 24.1 the first number is one.
  const isAddress = parts.length === 4 && !hasV;
  const said = parts
    .map((part) => part.replace(/\D/g, ''))
    .map((part, index) => (index === 0 && !isAddress ? sayWhole(part) : sayDigits(part)))
    .join('点');
  const words: SaidWord[] = [{ written: numbers.slice(0, numbers.length - letter.length), language: 'mandarin', said }];
  if (hasV && !/版本?\s*$/u.test(before)) words.unshift({ written: text.charAt(0), language: 'english', said: 'V' });
  if (letter !== '') words.push({ written: letter, language: 'english', said: letter.toUpperCase() });
  return words;
}

const ADDRESS_WORDS: Readonly<Record<string, string>> = { dot: '点', at: '艾特', slash: '斜杠' };

function inChineseAddress(word: SaidWord): SaidWord {
  const said = /[\p{L}\p{N}]/u.test(word.written) ? undefined : ADDRESS_WORDS[word.said];
  return said === undefined ? word : { ...word, language: 'mandarin', said };
}

/** A name of characters, letters and digits in any order. */
function sayName(name: string): SaidWord[] {
  const runs = name.match(/\p{Script=Han}+|\p{Script=Latin}[\p{Script=Latin}\p{M}]*|\d+/gu) ?? [];
  return runs.flatMap((run): SaidWord[] => {
    if (/^\d/.test(run)) return [{ written: run, language: 'mandarin', said: sayWhole(run) }];
    return /^\p{Script=Han}/u.test(run) ? sayCharacters(run) : [{ written: run, language: 'english', said: run }];
  });
}
