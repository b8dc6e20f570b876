import { describe, expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { tokenizePiece } from './tokenize.ts';

const tokensOf = (text: string, language: Language = 'cantonese') =>
  tokenizePiece(text, language).tokens.map(({ token }) => token);
const ofKind = (kind: string, text: string, language: Language = 'cantonese') =>
  tokensOf(text, language).find((token) => token.kind === kind);
/** `year-month-day` of the first date, `_` for a missing part; null: the text has no date. */
function dateIn(text: string, language: Language = 'cantonese'): string | null {
  const token = ofKind('date', text, language);
  if (token?.kind !== 'date') return null;
  return [token.year, token.month, token.day].map((part) => part ?? '_').join('-');
}

describe('a date in Chinese', () => {
  test.each([
    ['2026年11月21日', '2026-11-21', '日'],
    ['2026年11月21號', '2026-11-21', '號'],
    ['97年7月1日', '97-7-1', '日'],
    ['2026年 11月 21日', '2026-11-21', '日'],
    ['11月21日', '_-11-21', '日'],
    ['1月1號', '_-1-1', '號'],
    ['12月31日', '_-12-31', '日'],
    ['2月', '_-2-_', ''],
    ['2026年2月', '2026-2-_', ''],
  ])('%s', (text, date, dayWord) => {
    expect(dateIn(text)).toBe(date);
    expect(ofKind('date', text)).toMatchObject({ text, shape: 'chinese', dayWord });
  });

  test.each(['13月', '0月', '13月1日', '0月5號', '2月0日', '1月32日', '12月99號'])('%s is none', (text) => {
    expect(dateIn(text)).toBeNull();
  });

  test('Simplified characters are those that they stand for', () => {
    expect(ofKind('date', '11月21号')).toMatchObject({ text: '11月21號', dayWord: '號' });
  });

  test('the month ends before a number that is no day', () => {
    expect(ofKind('date', '11月份')).toMatchObject({ text: '11月', month: 11, day: null });
    expect(ofKind('date', '5月3個人')).not.toMatchObject({ day: 3 });
  });
});

describe('a date in digits', () => {
  test.each([
    ['2026-11-21', '2026-11-21'],
    ['2026/11/21', '2026-11-21'],
    ['2026.11.21', '2026-11-21'],
    ['2026-1-2', '2026-1-2'],
    ['20261121', '2026-11-21'],
    ['19970701', '1997-7-1'],
    ['21/11/2026', '2026-11-21'],
    ['21-11-2026', '2026-11-21'],
    ['21.11.2026', '2026-11-21'],
    ['1/2/2026', '2026-2-1'],
    ['21/11/26', '26-11-21'],
    // No month 21: the month comes first, as in America.
    ['11/21/2026', '2026-11-21'],
    ['25/12', '_-12-25'],
    ['31/1', '_-1-31'],
  ])('%s is %s', (text, date) => {
    expect(dateIn(text)).toBe(date);
    expect(ofKind('date', text)).toMatchObject({ shape: 'numeric', dayWord: '' });
  });

  test.each([
    ['2026-13-21', 'no month 13'],
    ['2026-11-32', 'no day 32'],
    ['20261321', 'no month 13'],
    ['32/1', 'no day 32'],
    ['13/13/2026', 'no month 13'],
    ['1.2.10', 'more often a version'],
    ['24/7', 'all day, every day'],
    ['1/2', 'a half'],
    ['3/4', 'three quarters'],
    ['2026-11/21', 'two separators'],
    ['2026-11-21-5', 'a part of a longer number'],
    ['123/4/5678', 'more than two digits first'],
  ])('%s is none: %s', (text) => {
    expect(dateIn(text)).toBeNull();
  });

  test.each([
    ['1/2(星期日)', '_-2-1'],
    ['1/2 (Mon)', '_-2-1'],
    ['1/2起', '_-2-1'],
    ['1/2前交', '_-2-1'],
    ['1/2放假', '_-2-1'],
    ['1/2 下午', '_-2-1'],
    ['喺1/2', '_-2-1'],
    ['聽日1/2', '_-2-1'],
    ['日期：1/2', '_-2-1'],
  ])('%s is a day because of the words beside it', (text, date) => {
    expect(dateIn(text)).toBe(date);
  });

  test('the month comes first in Mandarin', () => {
    expect(dateIn('5/1放假', 'mandarin')).toBe('_-5-1');
    expect(dateIn('5/1放假', 'cantonese')).toBe('_-1-5');
    expect(dateIn('25/12放假', 'mandarin')).toBe('_-12-25');
  });
});

describe('a date with the name of a month', () => {
  test.each([
    ['Nov 21', '_-11-21'],
    ['Nov. 21', '_-11-21'],
    ['November 21st', '_-11-21'],
    ['November 21, 2026', '2026-11-21'],
    ['Nov 21 2026', '2026-11-21'],
    ['21 November', '_-11-21'],
    ['21st November 2026', '2026-11-21'],
    ['21st of November', '_-11-21'],
    ['21-Nov-2026', '2026-11-21'],
    ['November 2026', '2026-11-_'],
    ['Sept 3', '_-9-3'],
    ['May 1', '_-5-1'],
    ['3 May', '_-5-3'],
    ['June 30', '_-6-30'],
    ['Jul 4th', '_-7-4'],
    ['Dec 31, 1999', '1999-12-31'],
    ['Jan 1', '_-1-1'],
    ['Feb 29', '_-2-29'],
    ['Mar 3', '_-3-3'],
    ['Apr 4', '_-4-4'],
    ['Aug 8', '_-8-8'],
    ['Oct 10', '_-10-10'],
    ['august 12', '_-8-12'],
    ['may 5th', '_-5-5'],
    ['3 march 2020', '2020-3-3'],
  ])('%s is %s', (text, date) => {
    expect(dateIn(text, 'english')).toBe(date);
    expect(ofKind('date', text, 'english')).toMatchObject({ shape: 'english' });
  });

  test.each(['Nov 32', 'Marching 3', 'May I ask 3 questions', 'Novel 21', '45 Nov', 'Dec', 'may 5', 'march 3'])(
    '%s is none',
    (text) => {
      expect(dateIn(text, 'english')).toBeNull();
    },
  );

  test('a time after the month is no day', () => {
    expect(dateIn('in May 12:30', 'english')).toBeNull();
  });
});

describe('a year', () => {
  test.each([
    ['2026年', '2026', '年'],
    ['1997年', '1997', '年'],
    ['97年出世', '97', '年'],
    ['08年金融海嘯', '08', '年'],
    ['1990年代', '1990', '年代'],
    ['90年代', '90', '年代'],
    ['80年代', '80', '年代'],
    ['95後', '95', ''],
  ])('%s', (text, digits, suffix) => {
    expect(ofKind('year', text)).toMatchObject({ kind: 'year', digits, suffix });
  });

  test.each([
    ['1990s', '1990', 's'],
    ["1990's", '1990', 's'],
    ['in 1997', '1997', ''],
    ['since 2010', '2010', ''],
    ['90s', '90', 's'],
  ])('%s in English', (text, digits, suffix) => {
    expect(ofKind('year', text, 'english')).toMatchObject({ kind: 'year', digits, suffix });
  });

  test.each([
    ['20年', 'a duration'],
    ['12年', 'a duration'],
    ['97年歷史', 'a duration'],
    ['2000年前', 'so many years ago'],
    ['第97年', 'a count'],
    ['97年', 'a duration, with nothing after it'],
    ['30s', 'seconds'],
    ['300年', 'a duration'],
    ['95後日', 'a number'],
  ])('%s has none: %s', (text) => {
    expect(ofKind('year', text)).toBeUndefined();
  });
});

test('a date does not begin within a word or a number', () => {
  for (const text of ['A2026-11-21', 'x11月21日', '92026/11/21']) expect(dateIn(text)).not.toBe('2026-11-21');
});
