import { expect, it } from 'vitest';
import { daysOf, streakOf, withRecording, type KeptDay } from './practice-days.ts';

const TODAY = new Date(2026, 10, 28, 23, 59);

/** Days of November on which something was recorded, once for each score. */
const keptOf = (...recorded: readonly (readonly [day: number, score: number])[]) =>
  recorded.reduce<KeptDay[]>((kept, [day, score]) => withRecording(kept, score, new Date(2026, 10, day, 9)), []);

it('counts recordings and their mean for each day', () => {
  expect(daysOf(keptOf([1, 10], [26, 50], [28, 60], [28, 90]), 3, TODAY)).toEqual([
    { date: '2026-11-26', times: 1, score: 50 },
    { date: '2026-11-27', times: 0, score: 0 },
    { date: '2026-11-28', times: 2, score: 75 },
  ]);
});

it.each([
  [[26, 27, 28], 3],
  [[26, 27], 2],
  [[26, 28], 1],
  [[26], 0],
  [[], 0],
  [Array.from({ length: 28 }, (_, index) => index + 1), 28],
])('practice on %j is a row of %d days, as today is not over', (days, streak) => {
  expect(streakOf(keptOf(...days.map((day) => [day, 80] as const)), TODAY)).toBe(streak);
});

it('counts each recording of a day on which many were made', () => {
  const kept = keptOf([27, 100], ...Array.from({ length: 300 }, () => [28, 80] as const));
  expect(daysOf(kept, 2, TODAY)).toEqual([
    { date: '2026-11-27', times: 1, score: 100 },
    { date: '2026-11-28', times: 300, score: 80 },
  ]);
});
