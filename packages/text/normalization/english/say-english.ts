import type { CodePart, Item, ItemContext, Numeral, SaidWord, SayItem } from '#text/normalization/tokens.ts';
import { lettersOf } from '#text/normalization/capital-words.ts';
import { unitAt } from '#text/normalization/units.ts';
import { expandAbbreviation } from './abbreviations.ts';
import { isOne, sayBelowHundred, sayEach, sayIdentifier, sayNumeral, sayOrdinal, sayWhole } from './english-numbers.ts';
import { CURRENCY_WORDS, SYMBOL_WORDS, UNIT_WORDS } from './english-units.ts';
import { sayFraction } from './say-fraction.ts';
import { sayDate, sayTime, sayYear } from './say-english-times.ts';

const CHINESE_WORDS = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * How an item of any kind is said in English; see `SayItem`. British, as Hong Kong's is: "one hundred and five", day before month, an
 * "oh" for the zero of years, times, rooms and buses, but "zero" in telephone numbers, with "double" and "triple"; `$12.50` is "twelve
 * dollars fifty". Chinese characters come out as words of Cantonese.
 */
export const sayEnglish: SayItem = (item, context) => {
  const said = saidOf(item, context);
  if (said !== null) return said === '' ? [] : [{ written: item.text, language: 'english', said }];
  return saidInParts(item);
};

/** What is one stretch of English as a whole; null: it has parts of their own. */
function saidOf(item: Item, context: ItemContext): string | null {
  switch (item.kind) {
    case 'latin':
      return sayPerUnit(item.text, context) ?? expandAbbreviation(item.text, context) ?? sayWord(item.text);
    case 'letters':
      if (item.letters === 'F' && /\d\/$/.test(context.before)) return 'floor';
      if (item.letters === 'X' && isBetweenNumbers(context)) return SIZE_BEFORE.test(context.before) ? 'by' : 'times';
      if (/^[VX]$/.test(item.letters) && MONARCH_BEFORE.test(context.before))
        return item.letters === 'V' ? 'the Fifth' : 'the Tenth';
      return spell(item.letters) + (item.plural ? "'s" : '');
    case 'number':
      // 5/F is how Hong Kong writes the fifth floor.
      return /^\/F\b/.test(context.after) ? sayOrdinal(item.value.digits) : sayNumber(item.value);
    case 'ordinal':
      return sayOrdinal(item.value.digits);
    case 'year':
      return sayYear(item);
    case 'date':
      return sayDate(item, context.before);
    case 'time':
      return sayTime(item);
    case 'money':
      return sayMoney(item);
    case 'percent':
      return `${sayNumeral(item.value)} ${item.per === 100 ? 'percent' : 'per mille'}`;
    case 'fraction':
      return sayFraction(item);
    case 'range':
      return sayRange(item.from, item.to, context);
    case 'score':
      return `${sayWhole(item.home)} ${item.away === '0' ? 'nil' : `${item.text.includes(':') ? 'to ' : ''}${sayWhole(item.away)}`}`;
    case 'temperature':
      return `${countOf(item.value, ['degree', 'degrees'])} ${item.scale === 'C' ? 'Celsius' : 'Fahrenheit'}`;
    case 'quantity':
      return countOf(item.value, UNIT_WORDS[item.unit]);
    case 'roman':
      return NUMBERED_BEFORE.test(context.before)
        ? titled(sayWhole(String(item.value)))
        : `the ${titled(sayOrdinal(String(item.value)))}`;
    case 'symbol':
      return symbolWord(item.text, context);
    case 'mark':
    case 'silent':
      return '';
    default:
      return null;
  }
}

function saidInParts(item: Item): SaidWord[] {
  switch (item.kind) {
    case 'han':
      return sayCharacters(item.text);
    case 'phone':
      return item.groups.map((group, index) => {
        const plus = item.plus && index === 0;
        return spoken((plus ? 'plus ' : '') + sayIdentifier(group, 'zero'), plus ? `+${group}` : group);
      });
    case 'code':
      return item.parts.map(sayCodePart);
    case 'version':
      return [sayVersion(item)];
    case 'email':
    case 'url':
      return sayAddress(item.text);
    case 'hashtag':
    case 'mention':
      return sayName(item.name);
    default:
      return [];
  }
}

/** What Roman numbers count after; after anything else they are of kings. */
const NUMBERED_BEFORE =
  /(?:Chapter|Part|Section|Act|Book|Phase|Type|Stage|War|Volume|Level|Grade|Class|Form|Article|Unit|Scene|Title|Band|第)\s*$/iu;

/** A single letter is a Roman number only where nothing else makes sense. */
const MONARCH_BEFORE = /(?:King|Queen|Pope|Emperor|Prince|Louis)(?: \p{Lu}\p{Ll}+)? $/u;

const spell = (letters: string) => [...letters.toUpperCase()].join(' ');
const titled = (said: string) => said.replace(/^[a-z]/, (first) => first.toUpperCase());
const spoken = (said: string, written: string): SaidWord => ({ written, language: 'english', said });

/** Words in capitals only (NASA, STOP) would be spelled out by an engine that reads text. */
function sayWord(text: string): string {
  const bare = text.replace(/\.$/, '');
  const owner = /^(\p{Lu}{2,6})['’]s$/u.exec(bare)?.[1];
  if (owner !== undefined) return lettersOf(owner, false) === null ? `${sayWord(owner)}'s` : `${spell(owner)}'s`;
  return /^\p{Lu}{2,}$/u.test(bare) ? bare.charAt(0) + bare.slice(1).toLowerCase() : bare;
}

/** With leading zeros it is a name (007). */
function sayNumber(value: Numeral): string {
  const { digits, fraction, sign } = value;
  const isName = digits.length > 1 && digits.startsWith('0') && fraction === null && sign === '';
  return isName ? sayIdentifier(digits, 'oh') : sayNumeral(value);
}

function countOf(value: Numeral, [one, several = one]: readonly [string, string?]): string {
  return `${sayNumeral(value)} ${isOne(value) ? one : several}`;
}

/** Between two numbers with something that makes it a sum: spaces on both sides, or what it comes to. */
function isSum(before: string, after: string): boolean {
  if (!/\d\s*$/.test(before) || !/^\s*\d/.test(after)) return false;
  return (/\s$/.test(before) && /^\s/.test(after)) || /^\s*[\d.,]+\s*=/.test(after);
}

const isBetweenNumbers = ({ before, after }: ItemContext) =>
  (/\d\s*$/.test(before) || SIZE_BEFORE.test(before)) && /^\s*\d/.test(after);

/** 30 cm x 20 cm. */
const SIZE_BEFORE = /\d ?(?:mm|cm|m|km|in|ft|px)\s*$/;
/** 4.5/5. */
const MARK_BEFORE = /\d\.\d\s?$/;
const FULL_MARK = /^\s?(?:5|10|100)(?![\d./])/;

/** The unit of "per kg" and $38/kg, which stands without a number. */
function sayPerUnit(text: string, { before }: ItemContext): string | null {
  const found = /(?:\bper |[\d$]\/)$/.test(before) ? unitAt(text, 0) : null;
  return found === null || found.length < text.length ? null : UNIT_WORDS[found.unit][0];
}

/** Hyphens join words unless numbers are around them. */
function symbolWord(sign: string, { before, after }: ItemContext): string {
  if (sign === '-') return isSum(before, after) ? 'minus' : '';
  if (sign === '^') return /\d\s*$/.test(before) && /^\s*\d/.test(after) ? 'to the power of' : '';
  if (sign === '~' || sign === '～') return /^\s*\d/.test(after) ? 'about' : '';
  if (sign === '#' || sign === '№') return /^\s*\d/.test(after) ? 'number' : '';
  // Grades of the examination: 5*, 5**.
  if (sign === '*' && /(?<!\d)5\**$/.test(before) && !/^\**\s?\d/.test(after)) return 'star';
  if (sign === '/' && /[$€£¥] ?[\d,.]+$/.test(before) && /^\p{L}/u.test(after)) return 'per';
  if (sign === '/' && MARK_BEFORE.test(before) && FULL_MARK.test(after)) return 'out of';
  if (sign === '*' && !isBetweenNumbers({ before, after })) return '';
  if (/[<>]/.test(sign) && !/^\s?[\d$]/.test(after)) return '';
  return SYMBOL_WORDS[sign] ?? '';
}

/** twelve dollars fifty, three dollars and five cents, fifty cents; five million U S dollars. */
function sayMoney({ value, currency }: Extract<Item, { kind: 'money' }>): string {
  const { one, several, cents } = CURRENCY_WORDS[currency];
  const { digits, fraction, scale } = value;
  const sign = value.sign === '-' ? 'minus ' : '';
  if (cents === null || scale !== null || fraction === null || fraction.length > 2)
    return countOf(value, [one, several]);
  const amount = countOf({ ...value, fraction: null }, [one, several]);
  const rest = Number(fraction.padEnd(2, '0'));
  if (rest === 0) return amount;
  const ofCents = `${sayBelowHundred(rest)} ${rest === 1 ? cents[0] : cents[1]}`;
  if (/^0+$/.test(digits)) return sign + ofCents;
  if (rest < 10 || several.includes(' ')) return `${amount} and ${ofCents}`;
  return `${amount} ${sayBelowHundred(rest)}`;
}

/** The unit is said once, after the second. */
function sayRange(from: Item, to: Item, context: ItemContext): string {
  const end = from.kind === 'money' && to.kind === 'number' ? { ...from, value: to.value } : to;
  const isSame = from.kind === end.kind || from.kind === 'number';
  const start =
    isSame && 'value' in from && typeof from.value === 'object'
      ? sayRangeStart(from, from.value)
      : saidOf(from, context);
  return `${start ?? ''} to ${saidOf(end, context) ?? ''}`.trim();
}

function sayRangeStart(from: Item, value: Numeral): string {
  const hasCents = from.kind === 'money' && value.fraction !== null;
  return hasCents ? sayMoney(from) : sayNumeral(value);
}

function sayCodePart({ kind, text }: CodePart): SaidWord {
  if (kind === 'letters') return spoken(spell(text), text);
  if (kind === 'latin') return spoken(sayWord(text), text);
  return spoken(text.length > 2 || text.startsWith('0') ? sayIdentifier(text, 'oh') : sayWhole(text), text);
}

/** version two point one point zero; with four numbers (an address) dots and single digits. */
function sayVersion({ text, parts, hasV }: Extract<Item, { kind: 'version' }>): SaidWord {
  const isAddress = parts.length === 4 && !hasV;
  const said = parts.map((part) => {
    const letters = part.replace(/\d/g, '');
    const digits = part.replace(/\D/g, '');
    const number = isAddress || digits.length > 2 ? sayEach(digits) : sayWhole(digits);
    return letters === '' ? number : `${number} ${spell(letters)}`;
  });
  return spoken((hasV ? 'version ' : '') + said.join(isAddress ? ' dot ' : ' point '), text);
}

const ADDRESS_SIGNS: Readonly<Record<string, string>> = {
  '.': 'dot',
  '@': 'at',
  '/': 'slash',
  _: 'underscore',
  '-': 'dash',
};

/** john at gmail dot com; the protocol is left out, and so is what follows a question mark. */
function sayAddress(text: string): SaidWord[] {
  const bare = text
    .replace(/^https?:\/\//iu, '')
    .replace(/[?#].*$/su, '')
    .replace(/\/$/, '');
  const parts = bare.match(/[A-Za-z]+|\d+|[.@/_-]/g) ?? [];
  return parts.map((part) => {
    if (/^\d/.test(part)) return spoken(part.length > 4 ? sayEach(part) : sayWhole(part), part);
    const isSpelt = /^(?:www|hk|cn|tw|uk|us|jp|sg|eu|mo|io|ai|tv|edu|[^aeiouy]{1,4}|[a-z])$/i.test(part);
    const sign = Object.hasOwn(ADDRESS_SIGNS, part) ? ADDRESS_SIGNS[part] : undefined;
    return spoken(sign ?? (isSpelt ? spell(part) : part), part);
  });
}

/** A name of characters, letters and digits in any order; `HelloWorld` is two words. */
function sayName(name: string): SaidWord[] {
  const runs = name.match(/\p{Script=Han}+|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+(?!\p{Ll})|\p{Script=Latin}|\d+/gu) ?? [];
  return runs.flatMap((run) => {
    if (/^\d/.test(run)) return [spoken(sayWhole(run), run)];
    return /^\p{Script=Han}/u.test(run) ? sayCharacters(run) : [spoken(sayWord(run), run)];
  });
}

function sayCharacters(text: string): SaidWord[] {
  const words: SaidWord[] = [];
  for (const { segment } of CHINESE_WORDS.segment(text)) {
    const said = segment.replace(/[^\p{Script=Han}]/gu, '');
    if (said !== '') words.push({ written: segment, language: 'cantonese', said });
  }
  return words;
}
