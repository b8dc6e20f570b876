// Every function returns NaN for no values, unless the caller names another result (`none`). Sums
// add the values in their order, because fitted models and figures depend on the last bit.

type Values = ArrayLike<number>;

export function sum(values: Values): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at]!;
  return total;
}

export function mean(values: Values, none = Number.NaN): number {
  return values.length === 0 ? none : sum(values) / values.length;
}

/** The mean of the squares: the power of a sound. */
export function meanSquare(values: Values, none = Number.NaN): number {
  if (values.length === 0) return none;
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at]! * values[at]!;
  return total / values.length;
}

export function rootMeanSquare(values: Values, none = Number.NaN): number {
  return values.length === 0 ? none : Math.sqrt(meanSquare(values));
}

/** The mean square distance from the mean, of a whole population (division by its size). */
export function variance(values: Values, none = Number.NaN): number {
  if (values.length === 0) return none;
  const middle = mean(values);
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += (values[at]! - middle) ** 2;
  return total / values.length;
}

/** The root of the variance. */
export function standardDeviation(values: Values, none = Number.NaN): number {
  return values.length === 0 ? none : Math.sqrt(variance(values));
}

/**
 * The value at index ⌊share · n⌋ of the n sorted values, at most the last. It is always one of the
 * values, never between two of them.
 */
export function quantile(values: Values, share: number, none = Number.NaN): number {
  const index = Math.min(values.length - 1, Math.floor(share * values.length));
  return new Float64Array(values).sort()[index] ?? none;
}

/** The upper one of the two middle values where their number is even. */
export function median(values: Values, none = Number.NaN): number {
  return quantile(values, 0.5, none);
}

/** Quantile by linear interpolation (type 7 of Hyndman and Fan 1996). */
export function interpolatedQuantile(values: Values, share: number, none = Number.NaN): number {
  const sorted = new Float64Array(values).sort();
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  return below === undefined || above === undefined ? none : below + (at - Math.floor(at)) * (above - below);
}

/** Pearson correlation of pairs weighted by `weights`; null if either does not vary. */
export function pearson(x: Values, y: Values, weights?: Values): number | null {
  const weight = (i: number) => weights?.[i] ?? 1;
  let [total, sumX, sumY] = [0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    total += weight(i);
    sumX += weight(i) * x[i]!;
    sumY += weight(i) * y[i]!;
  }
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    const [dx, dy] = [x[i]! - sumX / total, y[i]! - sumY / total];
    xx += weight(i) * dx * dx;
    yy += weight(i) * dy * dy;
    xy += weight(i) * dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}
