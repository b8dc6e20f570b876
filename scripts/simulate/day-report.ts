import { mean } from '@jyutsing/numeric/statistics';
import type { Scaling } from './autoscaler.ts';
import { quantile } from './compare.ts';
import { dailyArrivals, peakPerSecond, type Day } from './day.ts';
import type { Limits } from './demand.ts';
import { simulateQueue } from './queue.ts';

const DAY_S = 24 * 3_600;

export type DayPlan = {
  day: Day;
  nextServiceS: () => number;
  workersPerProcess: number;
  processes: number | Scaling;
  limits: Limits;
  pollS: number;
  random: () => number;
};

/** Simulates a day and prints how long recordings waited and what the workers did meanwhile. */
export function printDay({ day, nextServiceS, workersPerProcess, processes, limits, pollS, random }: DayPlan): void {
  const { waitsS, tookS, busyS, workerS, mostWorkers, endS } = simulateQueue({
    nextArrivalS: dailyArrivals(day, random),
    serviceS: nextServiceS,
    workersPerProcess,
    processes,
    // Each recording is two jobs: its recognition and the delivery of the result.
    jobsPerS: limits.queueJobsPerS / 2,
    durationS: DAY_S,
  });
  const inProgress = (mean(tookS) * tookS.length) / endS;
  console.log(`recordings              ${waitsS.length}`);
  console.log(`waiting p50 / p95 / p99 ${spread(waitsS)} s`);
  console.log(`done    p50 / p95 / p99 ${spread(tookS)} s after the arrival`);
  console.log(`workers                 ${mostWorkers} at most, ${(workerS / endS).toFixed(1)} on average`);
  console.log(`utilization             ${((100 * busyS) / workerS).toFixed(1)} % over the day`);
  console.log(`at the peak             ${((peakPerSecond(day) * busyS) / waitsS.length).toFixed(2)} workers busy`);
  console.log(`polls                   ${(inProgress / pollS).toFixed(2)} a second on average`);
}

function spread(list: readonly number[]): string {
  return [0.5, 0.95, 0.99].map((q) => quantile(list, q).toFixed(2)).join(' / ');
}
