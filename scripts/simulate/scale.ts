import { COSTS } from './costs.ts';
import { peakPerSecond, type Day } from './day.ts';
import { firstLimit, needsOf, usedPart, workersFor, type Limits, type Need } from './demand.ts';
import { quantile } from './compare.ts';
import { simulateQueue } from './queue.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { exponential } from './random.ts';

export type ScalePlan = {
  day: Day;
  /** Mean length of a recording, and seconds that a worker has one on average. */
  audioS: number;
  serviceS: number;
  nextServiceS: () => number;
  workersPerProcess: number;
  pollS: number;
  limits: Limits;
  seed: number;
};

export type Scaled = {
  factor: number;
  workers: number;
  busyWorkers: number;
  waitP95S: number;
  inProgress: number;
  needs: Need[];
  /** The need nearest to its limit. */
  first: Need;
};

/** Limit of simulated arrivals; more say no more about the waiting. */
const MOST_JOBS = 1_000_000;
const PEAK_S = 3_600;

/**
 * Simulates the busiest hour of `factor` times the day, with as many workers as it needs, and adds
 * up what that takes.
 */
export function scaleBy(factor: number, plan: ScalePlan): Scaled {
  const { day, serviceS, nextServiceS, workersPerProcess, limits, seed, ...rest } = plan;
  const recordingsPerS = factor * peakPerSecond(day);
  const busyWorkers = recordingsPerS * serviceS;
  const processes = Math.ceil(workersFor(busyWorkers) / workersPerProcess);
  const random = createRandom(seed);
  const { waitsS, tookS, endS } = simulateQueue({
    nextArrivalS: (afterS) => afterS + exponential(1 / recordingsPerS, random),
    serviceS: nextServiceS,
    workersPerProcess,
    processes,
    // Each recording is handed out once; its delivery takes the other half.
    jobsPerS: limits.queueJobsPerS / 2,
    durationS: Math.min(PEAK_S, MOST_JOBS / recordingsPerS),
  });
  const inProgress = tookS.reduce((sum, seconds) => sum + seconds, 0) / endS;
  const needs = needsOf({ recordingsPerS, inProgress, processes, audioS: rest.audioS, pollS: rest.pollS }, limits);
  return {
    factor,
    workers: processes * workersPerProcess,
    busyWorkers,
    waitP95S: quantile(waitsS, 0.95),
    inProgress,
    needs,
    first: firstLimit(needs),
  };
}

/** Prints a column for each factor and a row for each resource. */
export function printScaled(scaled: readonly Scaled[], { day }: Pick<ScalePlan, 'day'>): void {
  const rows: string[][] = [
    ['', 'limit', ...scaled.map(({ factor }) => `${view(factor)}×`), 'limit at'],
    ['recordings an hour', '', ...scaled.map(({ factor }) => view(factor * day.perHour))],
    ['recordings a second, at the peak', '', ...scaled.map(({ factor }) => view(factor * peakPerSecond(day)))],
    ['busy workers', '', ...scaled.map(({ busyWorkers }) => view(busyWorkers))],
    ['workers', '', ...scaled.map(({ workers }) => view(workers))],
    ['waiting p95, s', '', ...scaled.map(({ waitP95S }) => view(waitP95S))],
    ['recordings in progress', '', ...scaled.map(({ inProgress }) => view(inProgress))],
    ...scaled[0]!.needs.map(({ resource, unit, limit }, index) => [
      `${resource}, ${unit}`,
      limit === null ? '' : view(limit),
      ...scaled.map(({ needs }) => mark(needs[index]!)),
      limit === null ? '' : `${view(factorAtLimit(scaled, index))}×`,
    ]),
    ['first limit', '', ...scaled.map(({ first }) => `${first.resource}, ${first.unit}`)],
    ['', '', ...scaled.map(({ first }) => `${view(100 * usedPart(first))} % of it`)],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)));
    console.log(cells.join('  ').trimEnd());
  }
  console.log(`\n! exceeds the limit. Costs are those of ${COSTS.recognition.command}; see --costs.`);
}

/**
 * Finds the factor at which a need reaches its limit: on the line through the needs on both sides
 * of it, or through the last two where it is beyond them; Infinity when it does not grow there.
 * `scaled` is in the order of its factors.
 */
export function factorAtLimit(scaled: readonly Pick<Scaled, 'factor' | 'needs'>[], index: number): number {
  const points = scaled.map(({ factor, needs }) => ({ factor, need: needs[index]!.need }));
  const limit = scaled[0]!.needs[index]!.limit ?? Infinity;
  const reached = points.findIndex(({ need }) => need >= limit);
  const above = reached < 0 ? points.length - 1 : Math.max(1, reached);
  const [from, to] = points.length === 1 ? [{ factor: 0, need: 0 }, points[0]!] : [points[above - 1]!, points[above]!];
  if (to.need <= from.need) return Infinity;
  return from.factor + ((limit - from.need) * (to.factor - from.factor)) / (to.need - from.need);
}

function mark(need: Need): string {
  return `${need.limit !== null && need.need >= need.limit ? '! ' : ''}${view(need.need)}`;
}

/** Rounds to three digits; digits before the point all stay. */
function view(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))));
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
