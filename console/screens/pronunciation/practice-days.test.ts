import { expect, it } from 'vitest';
import { daysOf, streakOf } from './practice-days.ts';

const at = (day: number, score: number, hour = 9) => ({
  at: new Date(2026, 10, day, hour).getTime(),
  score,
  syllables: [],
});
const TODAY = new Date(2026, 10, 28, 23, 59);

it('counts attempts and their mean for each day', () => {
  const days = daysOf([at(26, 50), at(28, 60), at(28, 90, 22), at(1, 10)], 3, TODAY);
  expect(days).toEqual([
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
])('practice on %j is a row of %d days, as today is not over', (days, streak) => {
  expect(
    streakOf(
      daysOf(
        days.map((day) => at(day, 80)),
        14,
        TODAY,
      ),
    ),
  ).toBe(streak);
});
