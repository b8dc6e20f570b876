import { describe, expect, it } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { equalError, fitLine, shareBelow, syllableOdds, type WeightedOdds } from './fit-line.ts';

/** Samples log-odds whose true probability is 1 / (1 + exp(−(slope · x + offset))). */
function drawn(slope: number, offset: number, count: number): WeightedOdds[] {
  const random = createRandom(4);
  return Array.from({ length: count }, () => {
    const oddsLogp = 12 * (random() - 0.5);
    return { oddsLogp, isRight: random() < 1 / (1 + Math.exp(-(slope * oddsLogp + offset))), weight: 1 };
  });
}

describe('fitting calibrations', () => {
  it('recovers the line that the odds were sampled from', () => {
    const { slope, offset } = fitLine(drawn(0.6, 1.2, 20_000));
    expect(slope).toBeCloseTo(0.6, 1);
    expect(offset).toBeCloseTo(1.2, 1);
  });

  it('is finite for separable data', () => {
    const { slope, offset } = fitLine([
      { oddsLogp: 5, isRight: true, weight: 1 },
      { oddsLogp: -5, isRight: false, weight: 1 },
    ]);
    expect(slope).toBeGreaterThan(0);
    expect(Number.isFinite(offset)).toBe(true);
  });

  it('the equal error is the same share of both at one threshold', () => {
    const right = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const wrong = [-9, -8, -7, -6, -5, -4, -3, -2, -1, 1.5];
    const { error, threshold } = equalError(right, wrong);
    expect(error).toBeCloseTo(0.1);
    expect(threshold).toBeGreaterThan(1);
    expect(threshold).toBeLessThan(2);
    expect(equalError([5, 6], [-5, -6]).error).toBe(0);
    expect(shareBelow(Float64Array.of(), 1)).toBe(0);
  });

  it('one certainly wrong part makes the syllable wrong', () => {
    const line = { slope: 1, offset: 0 };
    const part = (oddsLogp: number) => ({ oddsLogp, line });
    expect(syllableOdds([part(9), part(9), part(-5)])).toBeLessThan(-4.9);
    expect(syllableOdds([part(9), part(9), part(9)])).toBeGreaterThan(7.8);
  });
});
