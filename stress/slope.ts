import { mean, median } from '@jyutsing/numeric/statistics';

/** Growth from the first value to the last, with its 95 % interval. */
export type Growth = { low: number; estimate: number; high: number };

/** Neighbouring samples depend on each other; medians of this many blocks hardly do. */
const BLOCKS = 10;
/** Two-sided 95 % quantile of Student's distribution with BLOCKS - 2 degrees of freedom. */
const STUDENT_T = 2.306;

/**
 * Growth of a series over its length by least squares through the medians of ten equal blocks
 * (Draper and Smith, Applied Regression Analysis, section 1.4). Needs at least ten values.
 */
export function growthOf(values: readonly number[]): Growth {
  if (values.length < BLOCKS) throw new RangeError(`growth needs ${BLOCKS} values, not ${values.length}`);
  const medians = Array.from({ length: BLOCKS }, (_, block) => {
    const [from, to] = [block, block + 1].map((edge) => Math.floor((edge * values.length) / BLOCKS));
    return median(values.slice(from, to));
  });
  const middle = (BLOCKS - 1) / 2;
  const average = mean(medians);
  const squares = medians.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
  const slope = medians.reduce((sum, y, x) => sum + (x - middle) * (y - average), 0) / squares;
  const residuals = medians.reduce((sum, y, x) => sum + (y - average - slope * (x - middle)) ** 2, 0);
  const error = STUDENT_T * Math.sqrt(residuals / (BLOCKS - 2) / squares);
  const [low, estimate, high] = [slope - error, slope, slope + error].map((bound) => bound * BLOCKS);
  return { low: low!, estimate: estimate!, high: high! };
}
