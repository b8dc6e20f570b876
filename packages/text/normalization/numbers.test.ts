import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as cantonese from './cantonese/numerals.ts';
import * as english from './english/english-numbers.ts';
import * as mandarin from './mandarin/chinese-numbers.ts';
import { numeralAt, valueOf } from './numerals.ts';

const DIGITS: Readonly<Record<string, number>> = Object.fromEntries(
  [...'零一二三四五六七八九'].map((char, value) => [char, value]),
);
const PLACES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

/** Reads a whole number in Chinese words. */
function valueOfChinese(words: string): number {
  const plain = words
    .replaceAll(/[兩两]/gu, '二')
    .replaceAll('万', '萬')
    .replaceAll('亿', '億');
  const [high, low] = plain.includes('億') ? splitAtLast(plain, '億') : ['', plain];
  if (high !== '') return valueOfChinese(high) * 1e8 + (low === '' ? 0 : valueOfChinese(low));
  const [myriads, rest] = plain.includes('萬') ? splitAtLast(plain, '萬') : ['', plain];
  return (myriads === '' ? 0 : belowMyriad(myriads) * 1e4) + belowMyriad(rest);
}

function splitAtLast(text: string, unit: string): [string, string] {
  const at = text.lastIndexOf(unit);
  return [text.slice(0, at), text.slice(at + 1)];
}

function belowMyriad(words: string): number {
  let sum = 0;
  let digit: number | null = null;
  for (const char of words) {
    const place = PLACES[char];
    if (place === undefined) digit = DIGITS[char]!;
    else {
      sum += (digit === null || digit === 0 ? 1 : digit) * place;
      digit = null;
    }
  }
  return sum + (digit ?? 0);
}

const ENGLISH_SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen'
).split(' ');
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ENGLISH_POWERS: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

const DIGITS_IN_ENGLISH = 'one two three four five six seven eight nine zero';

/** Reads a whole number in English words. */
function valueOfEnglish(words: string): number {
  let total = 0;
  let group = 0;
  for (const word of words.split(/[ -]/)) {
    const power = ENGLISH_POWERS[word];
    if (power !== undefined) {
      total += group * power;
      group = 0;
    } else if (word === 'hundred') group *= 100;
    else if (ENGLISH_TENS.includes(word)) group += 20 + 10 * ENGLISH_TENS.indexOf(word);
    else if (word !== 'and') group += ENGLISH_SMALL.indexOf(word);
  }
  return total + group;
}

/** Numbers of all lengths, with many zeros. */
const wholeNumber = fc
  .array(fc.constantFrom(0, 0, 0, 1, 2, 5, 9), { minLength: 1, maxLength: 12 })
  .map((digits) => String(Number(digits.join(''))));
const CHECK = { numRuns: 400 };

describe('a whole number in words is the number', () => {
  it.each([
    ['Cantonese', cantonese.integerInWords, valueOfChinese],
    ['Mandarin', mandarin.integerInWords, valueOfChinese],
    ['English', english.integerInWords, valueOfEnglish],
  ] as const)('in %s', (_language, inWords, read) => {
    fc.assert(
      fc.property(wholeNumber, (digits) => {
        expect(`${digits}: ${read(inWords(digits))}`).toBe(`${digits}: ${digits}`);
      }),
      CHECK,
    );
  });

  it('different numbers have different words', () => {
    const words = Array.from({ length: 3_000 }, (_, number) => cantonese.integerInWords(String(number * 37)));
    expect(new Set(words).size).toBe(words.length);
  });

  it.each([
    ['007', '零零七', '零零七', 'zero zero seven'],
    [
      '12345678901234567890',
      '一二三四五六七八九零一二三四五六七八九零',
      '一二三四五六七八九零一二三四五六七八九零',
      `${DIGITS_IN_ENGLISH} ${DIGITS_IN_ENGLISH}`,
    ],
  ])('%s is no amount and is read digit by digit', (digits, inCantonese, inMandarin, inEnglish) => {
    expect(cantonese.integerInWords(digits)).toBe(inCantonese);
    expect(mandarin.integerInWords(digits)).toBe(inMandarin);
    expect(english.integerInWords(digits)).toBe(inEnglish);
  });
});

describe('English ordinals', () => {
  it.each([
    ['1', 'first'],
    ['2', 'second'],
    ['3', 'third'],
    ['5', 'fifth'],
    ['8', 'eighth'],
    ['9', 'ninth'],
    ['11', 'eleventh'],
    ['12', 'twelfth'],
    ['20', 'twentieth'],
    ['21', 'twenty-first'],
    ['40', 'fortieth'],
    ['100', 'one hundredth'],
    ['101', 'one hundred and first'],
    ['1000', 'one thousandth'],
    ['03', 'third'],
  ])('%s is the %s', (digits, words) => {
    expect(english.ordinalInWords(digits)).toBe(words);
  });
});

describe('English years', () => {
  it.each([
    ['1066', 'ten sixty-six'],
    ['1800', 'eighteen hundred'],
    ['1905', 'nineteen oh five'],
    ['1997', 'nineteen ninety-seven'],
    ['2000', 'two thousand'],
    ['2009', 'two thousand and nine'],
    ['2010', 'twenty ten'],
    ['97', 'ninety-seven'],
    ['05', 'oh five'],
  ])('%s is %s', (digits, words) => {
    expect(english.yearInWords(digits)).toBe(words);
  });
});

describe('English identifiers', () => {
  it.each([
    ['911', 'nine double one'],
    ['999', 'nine nine nine'],
    ['9991', 'triple nine one'],
    ['5555', 'five five five five'],
    ['11', 'one one'],
    ['1004', 'one double zero four'],
  ])('%s is %s', (digits, words) => {
    expect(english.identifierInWords(digits, 'zero')).toBe(words);
  });
});

describe('a number in a text', () => {
  it.each([
    ['1,234.50 kg', 8, 1_234.5],
    ['-3', 2, -3],
    ['.5', 2, 0.5],
    ['3. Next', 1, 3],
    ['1,23', 1, 1],
    ['12,345,6', 2, 12],
    ['3.5萬', 4, 35_000],
    ['2 million people', 9, 2_000_000],
    ['2 millionaires', 1, 2],
    ['3百萬', 3, 3_000_000],
  ])('%s: the first %i characters', (text, length, value) => {
    const found = numeralAt(text, 0, { isMoney: false });
    expect(found?.length).toBe(length);
    expect(valueOf(found!.value)).toBeCloseTo(value, 6);
  });

  it('has the short powers of ten of money only there', () => {
    expect(valueOf(numeralAt('15K', 0, { isMoney: true })!.value)).toBe(15_000);
    expect(valueOf(numeralAt('5mn', 0, { isMoney: true })!.value)).toBe(5_000_000);
    expect(valueOf(numeralAt('15K', 0, { isMoney: false })!.value)).toBe(15);
    expect(valueOf(numeralAt('5Mb', 0, { isMoney: true })!.value)).toBe(5);
  });

  it.each(['', 'x', '.', '+', '-', ',5'])('is not found in %j', (text) => {
    expect(numeralAt(text, 0, { isMoney: true })).toBeNull();
  });
});
