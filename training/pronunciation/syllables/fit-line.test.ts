import { describe, expect, it } from 'vitest';
import { createRandom } from '#packages/audio/vocoder/random.ts';
import { equalError, fitLine, shareBelow, syllableOdds, type WeighedOdds } from './fit-line.ts';

/** Log-odds as a measurer sees them whose truth is 1 / (1 + exp(−(slope · x + offset))). */
function drawn(slope: number, offset: number, count: number): WeighedOdds[] {
  const random = createRandom(4);
  return Array.from({ length: count }, () => {
    const oddsLogp = 12 * (random() - 0.5);
    return { oddsLogp, isRight: random() < 1 / (1 + Math.exp(-(slope * oddsLogp + offset))), weight: 1 };
  });
}

describe('fitting of calibrations', () => {
  it('finds the line that the odds were drawn from', () => {
    const { slope, offset } = fitLine(drawn(0.6, 1.2, 20_000));
    expect(slope).toBeCloseTo(0.6, 1);
    expect(offset).toBeCloseTo(1.2, 1);
  });

  it('is finite where right and wrong never meet', () => {
    const { slope, offset } = fitLine([
      { oddsLogp: 5, isRight: true, weight: 1 },
      { oddsLogp: -5, isRight: false, weight: 1 },
    ]);
    expect(slope).toBeGreaterThan(0);
    expect(Number.isFinite(offset)).toBe(true);
  });

  it('the equal error is the share of both at one threshold', () => {
    const right = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const wrong = [-9, -8, -7, -6, -5, -4, -3, -2, -1, 1.5];
    const { error, threshold } = equalError(right, wrong);
    expect(error).toBeCloseTo(0.1);
    expect(threshold).toBeGreaterThan(1);
    expect(threshold).toBeLessThan(2);
    expect(equalError([5, 6], [-5, -6]).error).toBe(0);
    expect(shareBelow(Float64Array.of(), 1)).toBe(0);
  });

  it('one part that is surely wrong makes the syllable wrong, whatever the others are', () => {
    const line = { slope: 1, offset: 0 };
    const part = (oddsLogp: number) => ({ oddsLogp, line });
    expect(syllableOdds([part(9), part(9), part(-5)])).toBeLessThan(-4.9);
    expect(syllableOdds([part(9), part(9), part(9)])).toBeGreaterThan(7.8);
  });
});
