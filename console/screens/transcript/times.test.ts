import { describe, expect, it } from 'vitest';
import { faultOfTimes, formatExactTime, parseTime } from './times.ts';

describe('parseTime', () => {
  it.each([
    ['2.5', 2.5],
    [' 1:02,35 ', 62.35],
    ['1:00:02', 3_602],
    ['0:00.000', 0],
  ])('reads %s', (typed, seconds) => expect(parseTime(typed)).toBe(seconds));
  it.each(['', 'soon', '-1', '1:', '1:2:3:4', '1.2345'])('refuses "%s"', (typed) =>
    expect(parseTime(typed)).toBeNull(),
  );
  it.each([0, 0.001, 59.9995, 62.35, 3_725.5])('reads what is shown of %d s', (seconds) =>
    expect(parseTime(formatExactTime(seconds))).toBe(Math.round(seconds * 1_000) / 1_000),
  );
});

describe('faultOfTimes', () => {
  const segments = [
    { start: 0, end: 2 },
    { start: 3, end: 4 },
    { start: 4.5, end: 6 },
  ];
  it.each([
    [2, 4.5, null],
    [1.999, 4, { kind: 'overlapsLast', at: 2 }],
    [3, 4.501, { kind: 'overlapsNext', at: 4.5 }],
    [3, 3, { kind: 'reversed', at: 3 }],
    [3.5, 3, { kind: 'reversed', at: 3.5 }],
  ])('checks a segment from %d to %d s', (start, end, fault) =>
    expect(faultOfTimes(segments, 1, { start, end }, 6)).toEqual(fault),
  );
  it('keeps the last segment within the recording', () => {
    expect(faultOfTimes(segments, 2, { start: 4.5, end: 6.001 }, 6)).toEqual({ kind: 'beyondEnd', at: 6 });
    expect(faultOfTimes(segments, 2, { start: 4, end: 6 }, 6)).toBeNull();
  });
});
