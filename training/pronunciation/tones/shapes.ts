import { mean, median } from '@jyutsing/numeric/statistics';
import { CONTOUR_POINTS } from '#packages/engines/builtin/pronunciation/tones/measure-contour.ts';

export type Gaussian = { mean: number[]; covariance: number[][] };

/**
 * Differences between speakers that one speaker does not show, in semitones: height, slope, bend,
 * and finer ones.
 */
export type Widening = { height: number; slope: number; bend: number; fine: number };

/** Contours that deviate more from the median are mismeasured, or another tone. */
const OUTLIER_SEMITONES = 6;
/** Measurement variance of each point. */
const POINT_VARIANCE = 0.1;

/** Cosines over the contour: constant, slope, bend and finer ones, each with maximum 1. */
const COSINES = Array.from({ length: CONTOUR_POINTS }, (_, order) =>
  Array.from({ length: CONTOUR_POINTS }, (__, at) => Math.cos((Math.PI * (at + 0.5) * order) / CONTOUR_POINTS)),
);

/** Mean and covariance of contours without outliers. */
export function fitGaussian(contours: readonly (readonly number[])[]): Gaussian {
  const usual = Array.from({ length: CONTOUR_POINTS }, (_, at) =>
    median(
      contours.map((contour) => contour[at]!),
      0,
    ),
  );
  const near = contours.filter((contour) =>
    contour.every((value, at) => Math.abs(value - usual[at]!) < OUTLIER_SEMITONES),
  );
  const middle = usual.map((_, at) => mean(near.map((contour) => contour[at]!)));
  const covariance = middle.map((_, row) =>
    middle.map((__, column) => {
      const products = near.map((contour) => (contour[row]! - middle[row]!) * (contour[column]! - middle[column]!));
      return mean(products) + (row === column ? POINT_VARIANCE : 0);
    }),
  );
  return { mean: middle, covariance };
}

/** Adds the differences between speakers. */
export function widen({ mean, covariance }: Gaussian, { height, slope, bend, fine }: Widening): Gaussian {
  const deviations = COSINES.map((_, order) => [height, slope, bend][order] ?? fine);
  return {
    mean,
    covariance: covariance.map((line, row) =>
      line.map((value, column) =>
        deviations.reduce(
          (sum, deviation, order) => sum + deviation ** 2 * COSINES[order]![row]! * COSINES[order]![column]!,
          value,
        ),
      ),
    ),
  };
}

/** Adds a variance for each point. */
export function loosen({ mean, covariance }: Gaussian, variances: readonly number[]): Gaussian {
  return {
    mean,
    covariance: covariance.map((line, row) =>
      line.map((value, column) => value + (row === column ? variances[row]! : 0)),
    ),
  };
}
