import { AppError } from '#contracts/errors.ts';
import { symbolCount } from './slot-hearings.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

/** Throws `engine_failed` when the arrays do not have the sizes that the labels and the frame count demand. */
export function assertPosteriors(posteriors: Posteriors, labels: AcousticLabels): void {
  const { frameCount, symbolLogp, toneLogp } = posteriors;
  const fits = symbolLogp.length === frameCount * symbolCount(labels) && toneLogp.length === frameCount * 6;
  if (!Number.isInteger(frameCount) || frameCount < 0 || !fits) {
    throw new AppError('engine_failed', 'The built-in acoustic model and its labels do not belong together.');
  }
}
