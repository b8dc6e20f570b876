import { describe, expect, it } from 'vitest';
import { pearson } from '@jyutsing/numeric/statistics';
import { bootstrapInterval, prepareSpearman, prepareVerification, wholeSample, type Trial } from './statistics.ts';

function trials(ownScores: readonly number[], other: readonly number[]): Trial[] {
  return [
    ...ownScores.map((score, group) => ({ score, isOwn: true, group, weight: 1 })),
    ...other.map((score, index) => ({ score, isOwn: false, group: ownScores.length + index, weight: 1 })),
  ];
}

function verify(ownScores: readonly number[], other: readonly number[]) {
  return prepareVerification(trials(ownScores, other))(wholeSample(ownScores.length + other.length));
}

describe('prepareVerification', () => {
  it('separated scores have no errors', () => {
    expect(verify([80, 90, 100], [10, 20])).toEqual({ equalErrorRate: 0, equalAt: 20, areaUnderCurve: 1 });
  });

  it('one of four own texts below one of four others is 25 %', () => {
    // Rejecting up to 50 loses one own text of four (50) and still accepts one other of four (60).
    const figures = verify([50, 80, 90, 100], [10, 20, 30, 60]);
    expect(figures).toEqual({ equalErrorRate: 0.25, equalAt: 50, areaUnderCurve: 15 / 16 });
  });

  it('equal scores are chance level, ties counting half', () => {
    expect(verify([70, 70], [70, 70, 70])).toEqual({ equalErrorRate: 0.5, equalAt: 70, areaUnderCurve: 0.5 });
  });

  it('equality is interpolated between two operating points', () => {
    // At 40: 0 of own rejected, 2/3 of others accepted. At 60: 1/2 and 0. The line crosses equality
    // at 2/7.
    const figures = verify([60, 90], [40, 60, 60]);
    expect(figures?.equalErrorRate).toBeCloseTo(2 / 7, 12);
    expect(figures?.areaUnderCurve).toBeCloseTo(5 / 6, 12);
  });

  it('a group counts as often as it is drawn', () => {
    const prepared = prepareVerification(trials([50, 80, 90, 100], [10, 20, 30, 60]));
    expect(prepared(Float64Array.of(0, 1, 1, 1, 1, 1, 1, 1))?.equalErrorRate).toBe(0);
    const doubled = prepared(Float64Array.of(2, 1, 1, 0, 1, 1, 0, 2));
    expect(doubled).toEqual({ equalErrorRate: 0.5, equalAt: 50, areaUnderCurve: 0.75 });
    expect(prepared(Float64Array.of(0, 0, 0, 0, 1, 1, 1, 1))).toBeNull();
  });

  it('weights let a few trials count as much as many', () => {
    const weighted = [
      { score: 50, isOwn: true, group: 0, weight: 1 },
      { score: 60, isOwn: false, group: 0, weight: 0.5 },
      ...[1, 2].map((score) => ({ score, isOwn: false, group: 0, weight: 0.25 })),
    ];
    expect(prepareVerification(weighted)(wholeSample(1))?.areaUnderCurve).toBe(0.5);
  });
});

describe('correlations', () => {
  it('agree with hand calculation', () => {
    expect(pearson([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
    // Deviations −1, 0, 1 and −1, 1, 0: 1 ÷ √(2 · 2).
    expect(pearson([1, 2, 3], [1, 3, 2])).toBeCloseTo(0.5, 12);
    expect(pearson([1, 1, 1], [1, 3, 2])).toBeNull();
  });

  it('rank correlation depends on order only, and ties share a rank', () => {
    expect(prepareSpearman([1, 2, 3, 4], [1, 10, 100, 1_000])()).toBeCloseTo(1, 12);
    // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: 4.5 ÷ √(4.5 · 5).
    expect(prepareSpearman([1, 2, 2, 4], [1, 3, 2, 4])()).toBeCloseTo(4.5 / Math.sqrt(22.5), 12);
  });

  it('weighting a pair twice equals duplicating it', () => {
    const [x, y] = [
      [1, 2, 3, 5],
      [2, 1, 4, 3],
    ];
    const twice = [0, 1, 2, 3, 3];
    const [longX, longY] = [twice.map((i) => x[i]!), twice.map((i) => y[i]!)];
    expect(pearson(x, y, [1, 1, 1, 2])).toBeCloseTo(pearson(longX, longY)!, 12);
    expect(prepareSpearman(x, y)([1, 1, 1, 2])).toBeCloseTo(prepareSpearman(longX, longY)()!, 12);
    expect(pearson(x, y, [1, 1, 0, 1])).toBeCloseTo(pearson([1, 2, 5], [2, 1, 3])!, 12);
  });
});

function shareOfFirstHalf(draw: Float64Array): number {
  return draw.subarray(0, 50).reduce((sum, count) => sum + count, 0) / 100;
}

describe('bootstrapInterval', () => {
  it('is deterministic, and contains the value when all groups agree', () => {
    expect(bootstrapInterval(5, () => 0.3)).toEqual({ low: 0.3, high: 0.3 });
    const interval = bootstrapInterval(100, shareOfFirstHalf);
    expect(interval).toEqual(bootstrapInterval(100, shareOfFirstHalf));
    // Binomial: 0.5 ± 1.96 · 0.05.
    expect(interval?.low).toBeCloseTo(0.4, 1);
    expect(interval?.high).toBeCloseTo(0.6, 1);
  });

  it('is null for one group or for a statistic without a value', () => {
    expect(bootstrapInterval(1, () => 1)).toBeNull();
    expect(bootstrapInterval(3, () => null)).toBeNull();
  });
});
