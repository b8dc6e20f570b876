import { mean } from '@jyutsing/numeric/statistics';
import {
  fitService,
  occupiedSeconds,
  serviceOf,
  type MeasuredJob,
  type MeasuredRun,
  type ServiceModel,
} from './measured-runs.ts';
import { simulateQueue } from './queue.ts';
import { sharing, simulateSharing, type SpeedWith } from './shared-processors.ts';

export type Comparison = {
  workers: number;
  arrivals: MeasuredRun['arrivals'];
  what: string;
  predictedS: number;
  measuredS: number;
  /** (predicted - measured) / measured. */
  difference: number;
};

const FIGURES: Record<string, (tookS: readonly number[], endS: number) => number> = {
  mean: (tookS) => mean(tookS),
  p50: (tookS) => quantile(tookS, 0.5),
  p95: (tookS) => quantile(tookS, 0.95),
  'last end': (_, endS) => endS,
};

/**
 * Predicts when the recordings of each run were completed, and compares the prediction with the
 * measurement. The input of the prediction is the times of arrival, the lengths, and the cost of
 * recordings for one worker alone, in seconds and in CPU seconds of all processes. That cost comes
 * from a run whose recordings arrived in the same way, where there is one, because recordings that
 * arrive at once cost up to a tenth more. The workers, the database and the API share the
 * processors of one machine; with `Infinity` processors, each worker is as fast as one alone.
 */
export function compareRuns(runs: readonly MeasuredRun[], processors: number): Comparison[] {
  return compareWithAlone(runs, (alone, run) => {
    const service = fitService(alone.jobs);
    const usedS = Object.entries(alone.cpuSeconds).reduce((sum, [part, s]) => (part === 'others' ? sum : sum + s), 0);
    const busyS = occupiedSeconds(alone.jobs).reduce((sum, s) => sum + s, 0);
    return predictTogether(run, service, sharing(processors, usedS / busyS));
  });
}

/**
 * Predicts the runs with random arrivals like `compareRuns`, and takes into account how much slower
 * the recognition is while all workers are busy: processors that share caches and memory slow one
 * another down by more than their time. A run whose recordings arrived at once shows that.
 */
export function compareSlowed(runs: readonly MeasuredRun[]): Comparison[] {
  const burstOf = (workers: number) => runs.find((run) => run.workers === workers && run.arrivals === 'at once');
  const alone = burstOf(1);
  const measured = runs.filter((run) => run.workers === 1 || (run.arrivals !== 'at once' && burstOf(run.workers)));
  return compareWithAlone(measured, (ofOne, run) => {
    const { workers } = run;
    const service = fitService(ofOne.jobs);
    const burst = burstOf(workers);
    const slowest = alone && burst ? workedOf(alone) / workedOf(burst) : 1;
    const more = Math.max(1, workers - 1);
    return predictTogether(run, service, (busy) => 1 - ((1 - slowest) * (busy - 1)) / more);
  });
}

/**
 * Predicts a run from the seconds that every recording takes one worker alone, and from the speed
 * of busy workers together.
 */
function predictTogether({ jobs, workers }: MeasuredRun, service: ServiceModel, speedWith: SpeedWith): number[] {
  const works = jobs.map(({ arrivedS, audioS }) => ({ arrivedS, aloneS: serviceOf(service, audioS) }));
  return simulateSharing({ jobs: works, workers, speedWith });
}

/** Seconds of recognition for each second of the recordings. */
function workedOf({ jobs }: MeasuredRun): number {
  return mean(jobs.map(({ workedS }) => workedS)) / mean(jobs.map(({ audioS }) => audioS));
}

/**
 * Predicts a run from the seconds of recognition of every recording in the run itself, and from the
 * other work of one worker alone: a difference then comes from the queue, not from workers that
 * slow one another down.
 */
export function compareQueues(runs: readonly MeasuredRun[]): Comparison[] {
  return compareWithAlone(runs, (alone, { jobs, workers }) => {
    const service = fitService(alone.jobs);
    const besidesS = mean(alone.jobs.map(({ audioS, workedS }) => serviceOf(service, audioS) - workedS));
    return predict(jobs, workers, ({ workedS }) => workedS + besidesS);
  });
}

/** `predictFrom` gives the seconds from arrival to end of each recording of a run. */
function compareWithAlone(
  runs: readonly MeasuredRun[],
  predictFrom: (alone: MeasuredRun, run: MeasuredRun) => readonly number[],
): Comparison[] {
  const ofOne = runs.filter(({ workers }) => workers === 1);
  const burst = ofOne.find(({ arrivals }) => arrivals === 'at once');
  return runs.flatMap((run) => {
    const alone = ofOne.find((candidate) => candidate !== run && candidate.arrivals === run.arrivals) ?? burst;
    return alone === undefined || alone === run ? [] : compareRun(run, predictFrom(alone, run));
  });
}

function compareRun({ workers, arrivals, jobs }: MeasuredRun, predicted: readonly number[]): Comparison[] {
  const measured = jobs.map(({ arrivedS, endedS }) => endedS - arrivedS);
  const measuredEndS = Math.max(...jobs.map(({ endedS }) => endedS));
  const predictedEndS = Math.max(...predicted.map((tookS, index) => jobs[index]!.arrivedS + tookS));
  return Object.entries(FIGURES).map(([what, figure]) => {
    const [predictedS, measuredS] = [figure(predicted, predictedEndS), figure(measured, measuredEndS)];
    return { workers, arrivals, what, predictedS, measuredS, difference: predictedS / measuredS - 1 };
  });
}

/** Seconds from arrival to end of each recording. */
function predict(jobs: readonly MeasuredJob[], workers: number, lengthOf: (job: MeasuredJob) => number): number[] {
  const arrivals = jobs.values();
  const lengths = jobs.values();
  return simulateQueue({
    nextArrivalS: () => arrivals.next().value?.arrivedS ?? Infinity,
    serviceS: () => lengthOf(lengths.next().value!),
    workersPerProcess: 1,
    processes: workers,
    jobsPerS: Infinity,
    durationS: (jobs.at(-1)?.arrivedS ?? 0) + 1,
  }).tookS;
}

/** The `q`-quantile (0 to 1) by nearest rank; 0 for an empty sample. */
export function quantile(sample: readonly number[], q: number): number {
  const sorted = Float64Array.from(sample).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}
