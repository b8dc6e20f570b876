import { describe, expect, it } from 'vitest';
import { evidenceOfSameVoice, logLikelihood, sumVoice } from './voice-sum.ts';

const windowOf = (fromFrame: number, toFrame: number, ...voice: number[]) => {
  return { fromFrame, toFrame, voice: Float32Array.from(voice) };
};

describe('the sum of windows', () => {
  it('counts 1.5 s as 0.6 observations, and others in proportion', () => {
    const { observations, sum } = sumVoice([windowOf(0, 75, 1, 0), windowOf(100, 250, 0, -0.5)]);
    expect(observations).toBeCloseTo(1.8, 12);
    expect(sum[0]).toBeCloseTo(0.6, 12);
    expect(sum[1]).toBeCloseTo(-0.6, 12);
  });

  it('is empty without windows, and zero for a window without length', () => {
    expect(sumVoice([])).toEqual({ observations: 0, sum: [] });
    expect(sumVoice([windowOf(7, 7, 1, 1)])).toEqual({ observations: 0, sum: [0, 0] });
  });
});

describe('the likelihood of one voice', () => {
  // The expected value is −½ ln(1 + nβ) + ½ (s√D)² β / (1 + nβ) for each of D dimensions.
  it.each([
    ['one dimension', 1, [2], [1], 1 - Math.log(2) / 2],
    ['no observation', 0, [0], [5], 0],
    ['a dimension in which speakers do not differ', 3, [9], [0], 0],
    ['four dimensions, whose sums are scaled by 2', 1, [1, 0, 0, 0], [1, 1, 1, 1], 1 - 2 * Math.log(2)],
  ])('%s', (_, observations, sum, between, expected) => {
    expect(logLikelihood({ observations, sum }, { between })).toBeCloseTo(expected, 12);
  });
});

describe('evidence for the same voice', () => {
  const voice = { observations: 1, sum: [2] };
  const opposite = { observations: 1, sum: [-2] };
  const statistics = { between: [1] };

  it('is positive for equal and negative for opposite voices', () => {
    const shared = Math.log(2) - Math.log(3) / 2;
    expect(evidenceOfSameVoice(voice, voice, statistics)).toBeCloseTo(2 / 3 + shared, 12);
    expect(evidenceOfSameVoice(voice, opposite, statistics)).toBeCloseTo(-2 + shared, 12);
  });

  it('does not depend on the order, and is zero for a voice that was not heard', () => {
    const other = { observations: 4, sum: [1] };
    expect(evidenceOfSameVoice(voice, other, statistics)).toBe(evidenceOfSameVoice(other, voice, statistics));
    expect(evidenceOfSameVoice(voice, { observations: 0, sum: [] }, statistics)).toBeCloseTo(0, 12);
  });
});
