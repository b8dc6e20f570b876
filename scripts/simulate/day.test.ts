import { describe, expect, it } from 'vitest';
import { dailyArrivals } from './day.ts';
import { createRandom } from '#packages/numeric/random.ts';

const DAY_S = 24 * 3_600;

/** Arrivals of a day with 1,000 an hour on average. */
function arrivals(swing: number): number[] {
  const next = dailyArrivals({ perHour: 1_000, swing }, createRandom(1));
  const atS: number[] = [];
  for (let arrivalS = next(0); arrivalS < DAY_S; arrivalS = next(arrivalS)) atS.push(arrivalS);
  return atS;
}

const inHour = (atS: readonly number[], hour: number) =>
  atS.filter((arrivalS) => Math.floor(arrivalS / 3_600) === hour).length;

describe('arrivals over a day', () => {
  it('are as many as the mean says', () => {
    expect(Math.abs(arrivals(0.8).length / 24_000 - 1)).toBeLessThan(0.02);
  });

  it('are rarest at the beginning and most frequent after half a day', () => {
    const atS = arrivals(0.8);
    expect(Math.abs(inHour(atS, 0) / 200 - 1)).toBeLessThan(0.25);
    expect(Math.abs(inHour(atS, 12) / 1_800 - 1)).toBeLessThan(0.1);
  });

  it('are as frequent at any time without a swing', () => {
    const atS = arrivals(0);
    for (const hour of [0, 6, 12, 18]) expect(Math.abs(inHour(atS, hour) / 1_000 - 1)).toBeLessThan(0.1);
  });
});
