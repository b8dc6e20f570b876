import { AppError } from '@jyutsing/contracts/errors';
import type { AcousticLabels, Posteriors } from './types.ts';

/** The part of `acoustic.json` that describes the columns. */
export type LabelsDescription = {
  frameMs: number;
  /** For a language without tones `onsets` lists its phones and `rimes` is empty. */
  labels: { onsets: readonly string[]; rimes: readonly string[] };
  /** Tones by column: 1 to 6, 1 to 5, or an empty list. */
  tones: readonly number[];
};

/** Makes the labels of the acoustic model that a description belongs to. */
export function acousticLabels({ frameMs, labels, tones }: LabelsDescription): AcousticLabels {
  const { onsets, rimes } = labels;
  return tones.length > 0
    ? { frameMs, onsets, rimes, tones: tones.length, phones: [] }
    : { frameMs, onsets: [], rimes: [], tones: 0, phones: [...onsets, ...rimes] };
}

/** Returns the number of symbol columns: blank, onsets, rimes, phones. */
export function symbolCount({ onsets, rimes, phones }: AcousticLabels): number {
  return 1 + onsets.length + rimes.length + phones.length;
}

/**
 * Throws `engine_failed` when the arrays do not have the sizes that the labels and the frame count
 * demand.
 */
export function assertPosteriors(posteriors: Posteriors, labels: AcousticLabels): void {
  const { frameCount, symbolLogp, toneLogp } = posteriors;
  const fits = symbolLogp.length === frameCount * symbolCount(labels) && toneLogp.length === frameCount * labels.tones;
  if (!Number.isInteger(frameCount) || frameCount < 0 || !fits) {
    throw new AppError('engine_failed', 'The built-in acoustic model and its labels do not belong together.');
  }
}
