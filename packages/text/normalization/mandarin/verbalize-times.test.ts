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
  [clock(3, 0), '三点'],
  [clock(2, 0), '两点'],
  [clock(2, 5), '两点零五分'],
  [clock(12, 30), '十二点半'],
  [clock(14, 30), '十四点三十分'],
  [clock(0, 30), '零点三十分'],
  [clock(14, 30, { second: 15 }), '十四点三十分十五秒'],
  [clock(14, 5, { second: 5 }), '十四点零五分零五秒'],
  [chinese('3点半', 3, null, { isHalf: true }), '三点半'],
  [chinese('3點半', 3, null, { isHalf: true }), '三點半'],
  [chinese('3点15分', 3, 15), '三点十五分'],
  [chinese('1点1分', 1, 1), '一点一分'],
  [chinese('1点01分', 1, 1), '一点零一分'],
  [chinese('3点15', 3, 15), '三点十五'],
  [chinese('3点05', 3, 5), '三点零五'],
  [chinese('2时', 2, null), '二时'],
  [chinese('14時', 14, null), '十四時'],
])('%j is %s', (time, words) => {
  expect(verbalizeTime(time, '')).toBe(words);
});

describe('the part of the day', () => {
  it.each([
    [12, 'am', '凌晨十二点'],
    [5, 'am', '凌晨五点'],
    [6, 'am', '上午六点'],
    [11, 'am', '上午十一点'],
    [12, 'pm', '中午十二点'],
    [1, 'pm', '下午一点'],
    [5, 'pm', '下午五点'],
    [6, 'pm', '晚上六点'],
    [11, 'pm', '晚上十一点'],
    // Written 15:00pm.
    [15, 'pm', '下午十五点'],
    [20, 'pm', '晚上二十点'],
  ] as const)('%d %s is %s', (hour, half, words) => {
    expect(verbalizeTime(clock(hour, null, { half }), '')).toBe(words);
  });

  it.each(['今天晚上', '下午 ', '半夜'])('is not repeated after %s', (before) => {
    expect(verbalizeTime(clock(8, 0, { half: 'pm' }), before)).toBe('八点');
  });
});

it.each([
  ['1998', '年', '一九九八年'],
  ['2000', '年', '二零零零年'],
  ['80', '年代', '八十年代'],
  ['80', 's', '八十年代'],
  ['1980', 's', '一九八零年代'],
  ['2026', '', '二零二六'],
] as const)('the year %s%s is %s', (digits, suffix, words) => {
  expect(verbalizeYear({ kind: 'year', text: digits + suffix, digits, suffix })).toBe(words);
});

it.each([
  ['2026', 11, 21, '', '二零二六年十一月二十一日'],
  ['2026', 11, 21, '号', '二零二六年十一月二十一号'],
  [null, 10, 2, '', '十月二日'],
  ['1997', 7, null, '', '一九九七年七月'],
] as const)('the date %o-%o-%o with %o is %s', (year, month, day, dayWord, words) => {
  expect(verbalizeDate({ kind: 'date', text: 'date', year, month, day, dayWord, shape: 'numeric' })).toBe(words);
});
