import { describe, expect, it } from 'vitest';
import type { Numeral } from '#text/normalization/tokens.ts';
import { digitByDigit, integerInWords, isCounted, numeralInWords } from './chinese-numbers.ts';

/** 负12.5万: sign, digits, fraction and scale. */
function numeral(digits: string, rest: Partial<Numeral> = {}): Numeral {
  return { sign: '', digits, fraction: null, scale: null, isGrouped: false, ...rest };
}

describe('whole numbers', () => {
  it.each([
    ['0', '零'],
    ['2', '二'],
    ['10', '十'],
    ['12', '十二'],
    ['20', '二十'],
    ['22', '二十二'],
    ['100', '一百'],
    ['101', '一百零一'],
    ['110', '一百一十'],
    ['111', '一百一十一'],
    ['200', '两百'],
    ['202', '两百零二'],
    ['222', '两百二十二'],
    ['1000', '一千'],
    ['1001', '一千零一'],
    ['1010', '一千零一十'],
    ['2000', '两千'],
    ['2200', '两千二百'],
    ['10000', '一万'],
    ['10001', '一万零一'],
    ['10010', '一万零一十'],
    ['20000', '两万'],
    ['22000', '两万二千'],
    ['100000', '十万'],
    ['120000', '十二万'],
    ['100001', '十万零一'],
    ['1000001', '一百万零一'],
    ['20000000', '两千万'],
    ['100000000', '一亿'],
    ['200000000', '两亿'],
    ['100000001', '一亿零一'],
    ['100010000', '一亿零一万'],
    ['1000000000', '十亿'],
    ['1000000000000', '一万亿'],
    ['1000000000001', '一万亿零一'],
    ['9999999999999999', '九千九百九十九万九千九百九十九亿九千九百九十九万九千九百九十九'],
  ])('%s is %s', (digits, words) => {
    expect(integerInWords(digits)).toBe(words);
  });

  it.each([
    ['007', '零零七'],
    ['00', '零零'],
    ['12345678901234567', '一二三四五六七八九零一二三四五六七'],
  ])('%s is read digit by digit', (digits, words) => {
    expect(integerInWords(digits)).toBe(words);
  });

  it('can be read back, for numbers of every size', () => {
    for (let value = 1; value < 10_000_000; value = Math.ceil(value * 1.003)) {
      expect(valueOf(integerInWords(String(value)))).toBe(value);
    }
  });

  it('never has two 零 in a row, or one at the end', () => {
    for (let value = 1; value < 2_000_000; value = Math.ceil(value * 1.01) + 1) {
      expect(integerInWords(String(value))).not.toMatch(/零零|零$/u);
    }
  });
});

/** Reads a number in words. */
function valueOf(words: string): number {
  let total = 0;
  let group = 0;
  let digit: number | null = null;
  for (const char of words) {
    if (char === '万') {
      total += (group + (digit ?? 0)) * 10_000;
      group = 0;
      digit = null;
    } else if (char in PLACE) {
      group += (digit ?? 1) * PLACE[char]!;
      digit = null;
    } else digit = char === '两' ? 2 : '零一二三四五六七八九'.indexOf(char);
  }
  return total + group + (digit ?? 0);
}

const PLACE: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

it('reads digits, and 1 as 幺 on request', () => {
  expect(digitByDigit('1203')).toBe('一二零三');
  expect(digitByDigit('1101', '幺')).toBe('幺幺零幺');
  expect(digitByDigit('')).toBe('');
});

describe('numbers with more than digits', () => {
  const wan = { written: '万', exponent: 4 };
  it.each([
    [numeral('5', { sign: '-' }), '负五'],
    [numeral('5', { sign: '+' }), '正五'],
    [numeral('3', { sign: '-', fraction: '14' }), '负三点一四'],
    [numeral('0', { fraction: '05' }), '零点零五'],
    [numeral('2', { fraction: '5' }), '二点五'],
    [numeral('2', { scale: wan }), '两万'],
    [numeral('3', { fraction: '5', scale: { written: '亿', exponent: 8 } }), '三点五亿'],
    [numeral('12', { scale: wan }), '十二万'],
    [numeral('2', { scale: { written: 'million', exponent: 6 } }), '两百万'],
    [numeral('3', { fraction: '5', scale: { written: 'million', exponent: 6 } }), '三百五十万'],
    [numeral('0', { fraction: '5', scale: { written: 'm', exponent: 6 } }), '五十万'],
    [numeral('1', { fraction: '2345', scale: { written: 'k', exponent: 3 } }), '一千二百三十四点五'],
  ])('%j is %s', (value, words) => {
    expect(numeralInWords(value)).toBe(words);
  });

  it('counts with 两', () => {
    expect(numeralInWords(numeral('2'), { counts: true })).toBe('两');
    expect(numeralInWords(numeral('2'))).toBe('二');
    expect(numeralInWords(numeral('12'), { counts: true })).toBe('十二');
    expect(numeralInWords(numeral('2', { sign: '-' }), { counts: true })).toBe('负两');
  });
});

describe('whether a number counts', () => {
  it.each([
    ['', '个人'],
    ['买了', '本书'],
    ['', ' 天'],
    ['等', '小时'],
    ['', '年'],
    ['', '個月'],
  ])('%s2%s', (before, after) => {
    expect(isCounted(before, after)).toBe(true);
  });

  it.each([
    ['第', '个'],
    ['星期', ''],
    ['初', '天'],
    ['', '号'],
    ['', '年级'],
    ['', '期'],
    ['A', '个'],
    ['3 +', '个'],
    ['', ''],
    ['', '。'],
  ])('not %s2%s', (before, after) => {
    expect(isCounted(before, after)).toBe(false);
  });
});
