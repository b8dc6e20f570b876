import { describe, expect, it } from 'vitest';
import type { Token } from '#text/normalization/tokens.ts';
import { verbalizeDate, verbalizeTime, verbalizeYear } from './verbalize-times.ts';

type TimeToken = Extract<Token, { kind: 'time' }>;

function clock(hour: number, minute: number | null, rest: Partial<TimeToken> = {}): TimeToken {
  const empty = { second: null, isHalf: false, half: null, shape: 'clock', text: '' } as const;
  return { kind: 'time', hour, minute, ...empty, ...rest };
}

const chinese = (text: string, hour: number, minute: number | null, rest: Partial<TimeToken> = {}) =>
  clock(hour, minute, { shape: 'chinese', text, ...rest });

it.each([
  [clock(3, 0), '三點'],
  [clock(2, 0), '兩點'],
  [clock(2, 5), '兩點零五分'],
  [clock(12, 0), '十二點'],
  [clock(12, 30), '十二點半'],
  [clock(1, 30), '一點半'],
  [clock(14, 30), '十四點三十分'],
  [clock(0, 30), '零點三十分'],
  [clock(22, 10), '二十二點十分'],
  [clock(3, 0, { second: 0 }), '三點'],
  [clock(3, 0, { second: 5 }), '三點零分零五秒'],
  [clock(14, 30, { second: 15 }), '十四點三十分十五秒'],
  [chinese('3點半', 3, null, { isHalf: true }), '三點半'],
  [chinese('3點', 3, null), '三點'],
  [chinese('3點15分', 3, 15), '三點十五分'],
  [chinese('3點5分', 3, 5), '三點五分'],
  [chinese('3點05分', 3, 5), '三點零五分'],
  [chinese('3點30分', 3, 30), '三點三十分'],
  [chinese('14時', 14, null), '十四時'],
])('%j is %s', (time, words) => {
  expect(verbalizeTime(time, '')).toBe(words);
});

describe('the part of the day', () => {
  it.each([
    [12, 'am', '凌晨十二點'],
    [1, 'am', '凌晨一點'],
    [5, 'am', '凌晨五點'],
    [6, 'am', '朝早六點'],
    [11, 'am', '朝早十一點'],
    [12, 'pm', '中午十二點'],
    [1, 'pm', '下晝一點'],
    [5, 'pm', '下晝五點'],
    [6, 'pm', '夜晚六點'],
    [11, 'pm', '夜晚十一點'],
    // Written 15:00pm.
    [15, 'pm', '下晝十五點'],
    [20, 'pm', '夜晚二十點'],
  ] as const)('%d %s is %s', (hour, half, words) => {
    expect(verbalizeTime(clock(hour, null, { half }), '')).toBe(words);
  });

  it.each(['今晚', '聽日下晝', '夜晚 ', '朝早大約'])('is not repeated after %s', (before) => {
    expect(verbalizeTime(clock(8, 0, { half: 'pm' }), before)).toBe('八點');
  });

  it.each(['', '聽日', '夜晚食飯，'])('is spoken after %o', (before) => {
    expect(verbalizeTime(clock(8, 0, { half: 'pm' }), before)).toBe('夜晚八點');
  });
});

it.each([
  ['1998', '', '一九九八'],
  ['1998', '年', '一九九八年'],
  ['2000', '年', '二千年'],
  ['2005', '年', '二零零五年'],
  ['2026', '', '二零二六'],
  ['80', '年代', '八十年代'],
  ['80', 's', '八十年代'],
  ['1980', 's', '一九八零年代'],
] as const)('the year %s%s is %s', (digits, suffix, words) => {
  expect(verbalizeYear({ kind: 'year', text: digits + suffix, digits, suffix })).toBe(words);
});

it.each([
  ['2026', 11, 21, '', '二零二六年十一月二十一號'],
  ['2000', 1, 1, '日', '二千年一月一日'],
  [null, 10, 2, '號', '十月二號'],
  [null, 12, 30, '号', '十二月三十號'],
  ['1997', 7, null, '', '一九九七年七月'],
  [null, null, 15, '日', '十五日'],
] as const)('the date %o-%o-%o with %o is %s', (year, month, day, dayWord, words) => {
  expect(verbalizeDate({ kind: 'date', text: 'date', year, month, day, dayWord, shape: 'numeric' })).toBe(words);
});
