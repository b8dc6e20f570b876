import { pearson } from '@jyutsing/numeric/statistics';
import { createRandom } from '#packages/numeric/random.ts';

export type Interval = { low: number; high: number };

/** How often each group (a recording, or a speaker) is drawn; all ones is the sample itself. */
type Draw = Float64Array;

const RESAMPLES = 2_000;
const TAIL = 0.025;

/**
 * 95 % interval of a statistic by percentile bootstrap over groups, seeded (see `errorRate` in
 * score.ts). Skips draws for which the statistic is null; null with fewer than two groups.
 */
export function bootstrapInterval(groupCount: number, statistic: (draw: Draw) => number | null): Interval | null {
  if (groupCount < 2) return null;
  const random = createRandom(1);
  const values: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const draw = new Float64Array(groupCount);
    for (let drawn = 0; drawn < groupCount; drawn += 1) draw[Math.floor(random() * groupCount)]! += 1;
    const value = statistic(draw);
    if (value !== null) values.push(value);
  }
  if (values.length === 0) return null;
  values.sort((a, b) => a - b);
  const last = values.length - 1;
  return { low: values[Math.floor(last * TAIL)]!, high: values[Math.ceil(last * (1 - TAIL))]! };
}

/**
 * Comparison of a recording with a text; `isOwn` if it is the spoken text. `weight` is relative to
 * trials of its kind.
 */
export type Trial = { score: number; isOwn: boolean; group: number; weight: number };

export type Verification = {
  /** Equal error rate, 0..1: rejected own texts equal accepted other texts. */
  equalErrorRate: number;
  /** Score at that point; lower scores are rejected. */
  equalAt: number;
  /**
   * Area under the ROC curve: how often an own text scores higher than another, ties counting half.
   */
  areaUnderCurve: number;
};

/**
 * Prepares verification figures for many draws, sorting trials once. Equal scores are accepted or
 * rejected together; the ROC curve is linear between the two operating points around equality
 * (Fawcett 2006). Null if a draw has no own or no other text.
 */
export function prepareVerification(trials: readonly Trial[]): (draw: Draw) => Verification | null {
  const sorted = trials.toSorted((a, b) => a.score - b.score);
  // Flat arrays, as thousands of draws pass over tens of thousands of trials.
  const groups = Int32Array.from(sorted, ({ group }) => group);
  const ownWeights = Float64Array.from(sorted, ({ isOwn, weight }) => (isOwn ? weight : 0));
  const otherWeights = Float64Array.from(sorted, ({ isOwn, weight }) => (isOwn ? 0 : weight));
  const isTied = Uint8Array.from(sorted, ({ score }, index) => (score === sorted[index + 1]?.score ? 1 : 0));
  const ownTotals = totalsByGroup(groups, ownWeights);
  const otherTotals = totalsByGroup(groups, otherWeights);
  return (draw) => {
    const ownTotal = ownTotals.reduce((sum, total, group) => sum + total * draw[group]!, 0);
    const other = otherTotals.reduce((sum, total, group) => sum + total * draw[group]!, 0);
    if (ownTotal === 0 || other === 0) return null;
    let [rejectedOwn, rejectedOther, tiedOwn, tiedOther, area] = [0, 0, 0, 0, 0];
    let equal: { rate: number; at: number } | null = null;
    for (let i = 0; i < groups.length; i += 1) {
      const count = draw[groups[i]!]!;
      tiedOwn += ownWeights[i]! * count;
      tiedOther += otherWeights[i]! * count;
      if (isTied[i] === 1) continue;
      area += tiedOther * (ownTotal - rejectedOwn - tiedOwn / 2);
      if (equal === null && (rejectedOwn + tiedOwn) / ownTotal >= 1 - (rejectedOther + tiedOther) / other) {
        const [before, after] = [rejectedOwn / ownTotal, (rejectedOwn + tiedOwn) / ownTotal];
        const gapBefore = 1 - rejectedOther / other - before;
        const gapAfter = after - (1 - (rejectedOther + tiedOther) / other);
        equal = { rate: before + (gapBefore / (gapBefore + gapAfter)) * (after - before), at: sorted[i]!.score };
      }
      rejectedOwn += tiedOwn;
      rejectedOther += tiedOther;
      tiedOwn = 0;
      tiedOther = 0;
    }
    return equal === null
      ? null
      : { equalErrorRate: equal.rate, equalAt: equal.at, areaUnderCurve: area / ownTotal / other };
  };
}

function totalsByGroup(groups: Int32Array, weights: Float64Array): Float64Array {
  const totals = new Float64Array(groups.reduce((most, group) => Math.max(most, group), -1) + 1);
  for (const [index, group] of groups.entries()) totals[group]! += weights[index]!;
  return totals;
}

/** Draws every group once. */
export function wholeSample(groupCount: number): Draw {
  return new Float64Array(groupCount).fill(1);
}

/** Prepares mid-ranks for many weightings: equal values share the mean of their ranks. */
function prepareRanks(values: readonly number[]): (weights?: ArrayLike<number>) => number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  return (weights) => {
    const ranks = Array.from<number>({ length: values.length });
    let before = 0;
    for (let i = 0; i < order.length;) {
      let tied = 0;
      let end = i;
      for (; end < order.length && values[order[end]!] === values[order[i]!]; end += 1) {
        tied += weights?.[order[end]!] ?? 1;
      }
      for (; i < end; i += 1) ranks[order[i]!] = before + (tied + 1) / 2;
      before += tied;
    }
    return ranks;
  };
}

/** Prepares Spearman's rank correlation for many weightings. */
export function prepareSpearman(
  x: readonly number[],
  y: readonly number[],
): (weights?: ArrayLike<number>) => number | null {
  const [ranksOfX, ranksOfY] = [prepareRanks(x), prepareRanks(y)];
  return (weights) => pearson(ranksOfX(weights), ranksOfY(weights), weights);
}
