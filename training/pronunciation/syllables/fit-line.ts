import type { CalibrationLine } from '#packages/engines/builtin/pronunciation/calibration.ts';
import { wrongOdds } from '#packages/engines/builtin/pronunciation/calibration.ts';

/** Log-odds of a part, whether it was spoken as expected, and the weight. */
export type WeightedOdds = { oddsLogp: number; isRight: boolean; weight: number };

/** Limits log-odds, so that outliers do not flatten the line. */
const BOUND = 25;
const STEPS = 60;
/** Keeps the slope finite for separable data. */
const RIDGE = 1e-4;

/**
 * Logistic regression on one variable by Newton's method: P(right) = 1 / (1 + exp(−(slope · x +
 * offset))).
 */
export function fitLine(odds: readonly WeightedOdds[]): CalibrationLine {
  let slope = 0.3;
  let offset = 0;
  for (let step = 0; step < STEPS; step++) {
    let [gradientA, gradientB, aa, ab, bb] = [-RIDGE * slope, 0, RIDGE, 0, RIDGE];
    for (const { oddsLogp, isRight, weight } of odds) {
      const x = Math.max(-BOUND, Math.min(BOUND, oddsLogp));
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const error = weight * ((isRight ? 1 : 0) - p);
      const curvature = weight * p * (1 - p) + 1e-9;
      gradientA += error * x;
      gradientB += error;
      aa += curvature * x * x;
      ab += curvature * x;
      bb += curvature;
    }
    const determinant = aa * bb - ab * ab;
    const [stepA, stepB] = [
      (bb * gradientA - ab * gradientB) / determinant,
      (aa * gradientB - ab * gradientA) / determinant,
    ];
    slope = Math.max(0.02, slope + Math.max(-0.3, Math.min(0.3, stepA)));
    offset += Math.max(-1, Math.min(1, stepB));
  }
  return { slope, offset };
}

/** Equal error rate of refused right and accepted wrong values, and its threshold. */
export function equalError(right: readonly number[], wrong: readonly number[]): { error: number; threshold: number } {
  const rights = Float64Array.from(right).sort();
  const wrongs = Float64Array.from(wrong).sort();
  let [low, high] = [-60, 60];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (shareBelow(rights, middle) < 1 - shareBelow(wrongs, middle)) low = middle;
    else high = middle;
  }
  return { error: (shareBelow(rights, high) + 1 - shareBelow(wrongs, high)) / 2, threshold: high };
}

/** Share of sorted values below a value. */
export function shareBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return sorted.length === 0 ? 0 : low / sorted.length;
}

/**
 * Log-odds of a syllable from those of its parts: minus the logarithm of the sum of the odds of
 * being wrong.
 */
export function syllableOdds(parts: readonly { oddsLogp: number; line: CalibrationLine }[]): number {
  return -Math.log(parts.reduce((sum, { oddsLogp, line }) => sum + wrongOdds(oddsLogp, line), 0));
}
