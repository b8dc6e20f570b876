import { mean } from '@jyutsing/numeric/statistics';
import { AppError } from '@jyutsing/contracts/errors';

/**
 * A recording that a cluster transcribed; seconds since the first recording arrived. `workedS` is
 * the time of the recognition alone.
 */
export type MeasuredJob = { arrivedS: number; endedS: number; audioS: number; workedS: number };

/** Recordings that `workers` processes of the role transcribe worked off, one at a time each. */
export type MeasuredRun = {
  workers: number;
  arrivals: 'at once' | 'Poisson';
  /** The recordings in the order of arrival. */
  jobs: MeasuredJob[];
  /** Seconds from the first arrival to the last end. */
  wallSeconds: number;
  /** CPU seconds meanwhile by part; `others` were used by programs beside the cluster. */
  cpuSeconds: { others: number } & Record<string, number>;
};

/** Seconds of a worker for each second of a recording, and for each recording. */
export type ServiceModel = { perAudioS: number; perJobS: number };

/**
 * Seconds for which the only worker is busy with each recording, from taking it from the queue to
 * storing the result: it begins the next recording when it has ended the one before.
 */
export function occupiedSeconds(jobs: readonly MeasuredJob[]): number[] {
  const inOrder = jobs.toSorted((a, b) => a.endedS - b.endedS);
  return inOrder.map(({ arrivedS, endedS }, index) => endedS - Math.max(arrivedS, inOrder[index - 1]?.endedS ?? 0));
}

/**
 * Fits a line (least squares) through the seconds of the recordings and those of the only worker.
 * Recordings of one length give no line: all is counted for each second of them.
 */
export function fitService(jobs: readonly MeasuredJob[]): ServiceModel {
  if (jobs.length === 0) throw new AppError('invalid_parameter', 'No recording was measured.');
  const inOrder = jobs.toSorted((a, b) => a.endedS - b.endedS);
  const lengths = inOrder.map(({ audioS }) => audioS);
  const seconds = occupiedSeconds(jobs);
  const [meanLength, meanSeconds] = [mean(lengths), mean(seconds)];
  const spread = mean(lengths.map((length) => (length - meanLength) ** 2));
  if (spread === 0) return { perAudioS: meanSeconds / meanLength, perJobS: 0 };
  const together = mean(lengths.map((length, at) => (length - meanLength) * (seconds[at]! - meanSeconds)));
  const perAudioS = together / spread;
  return { perAudioS, perJobS: meanSeconds - perAudioS * meanLength };
}

export function serviceOf({ perAudioS, perJobS }: ServiceModel, audioS: number): number {
  return Math.max(0, perAudioS * audioS + perJobS);
}
