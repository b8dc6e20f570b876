import { describe, expect, it } from 'vitest';
import { mean } from '@jyutsing/numeric/statistics';
import { simulateQueue, type QueuePlan } from './queue.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { exponential } from './random.ts';

type Options = { perSecond: number; workers: number; fixed?: boolean; seed?: number; jobsPerS?: number };

/** Runs a queue with Poisson arrivals and a mean of one second of work on each job. */
function run({ perSecond, workers, fixed, seed = 1, jobsPerS = Infinity }: Options) {
  const random = createRandom(seed);
  return simulateQueue({
    nextArrivalS: (afterS) => afterS + exponential(1 / perSecond, random),
    serviceS: () => (fixed ? 1 : exponential(1, random)),
    workersPerProcess: 1,
    processes: workers,
    jobsPerS,
    durationS: 400_000 / perSecond,
  });
}

/** Runs jobs of one second that arrive at these times. */
function runListed(atS: readonly number[], plan: Partial<QueuePlan> = {}) {
  const left = atS.values();
  return simulateQueue({
    nextArrivalS: () => left.next().value ?? Infinity,
    serviceS: () => 1,
    workersPerProcess: 1,
    processes: 1,
    jobsPerS: Infinity,
    durationS: 1_000,
    ...plan,
  });
}

/** Mean wait of M/M/c with one second of work on average (Erlang C). */
function erlangWaitS(load: number, workers: number): number {
  let blocking = 1;
  for (let n = 1; n <= workers; n += 1) blocking = (load * blocking) / (n + load * blocking);
  const waiting = blocking / (1 - (load / workers) * (1 - blocking));
  return waiting / (workers - load);
}

describe('a simulated queue', () => {
  it('waits as long as M/M/1 by its closed form', () => {
    const waitS = mean(run({ perSecond: 0.7, workers: 1 }).waitsS);
    expect(Math.abs(waitS / (0.7 / 0.3) - 1)).toBeLessThan(0.05);
  });

  it.each([2, 8, 40])('waits as long as M/M/c by Erlang C with %i workers', (workers) => {
    const waitS = mean(run({ perSecond: 0.8 * workers, workers }).waitsS);
    expect(Math.abs(waitS / erlangWaitS(0.8 * workers, workers) - 1)).toBeLessThan(0.1);
  });

  it('waits half as long for work of a fixed length (M/D/1)', () => {
    const waitS = mean(run({ perSecond: 0.7, workers: 1, fixed: true }).waitsS);
    expect(Math.abs(waitS / (0.7 / (2 * 0.3)) - 1)).toBeLessThan(0.05);
  });

  it('keeps workers as busy as the offered load says', () => {
    const { busyS, endS } = run({ perSecond: 3, workers: 4 });
    expect(Math.abs(busyS / (4 * endS) / 0.75 - 1)).toBeLessThan(0.02);
  });

  it('gives equal waits for equal seeds only', () => {
    const first = run({ perSecond: 0.7, workers: 1 }).waitsS.slice(0, 100);
    expect(run({ perSecond: 0.7, workers: 1 }).waitsS.slice(0, 100)).toEqual(first);
    expect(run({ perSecond: 0.7, workers: 1, seed: 2 }).waitsS.slice(0, 100)).not.toEqual(first);
  });

  it('works off a burst in order, one worker after the other', () => {
    const { waitsS, tookS } = runListed([0, 0, 0, 0, 0], { processes: 2 });
    expect(waitsS).toEqual([0, 0, 1, 1, 2]);
    expect(tookS).toEqual([1, 1, 2, 2, 3]);
  });

  it('has as many workers as its processes together', () => {
    expect(runListed([0, 0, 0, 0], { processes: 2, workersPerProcess: 2 }).waitsS).toEqual([0, 0, 0, 0]);
  });
});

describe('a simulated queue with a limit', () => {
  it('waits for the queue as M/D/1 when there are workers enough', () => {
    const { waitsS } = run({ perSecond: 7, workers: 1_000, jobsPerS: 10 });
    const closedS = 0.7 / (2 * 10 * (1 - 0.7));
    expect(Math.abs(mean(waitsS) / closedS - 1)).toBeLessThan(0.05);
  });

  it('hands out no more jobs per second than the limit', () => {
    expect(runListed([0, 0, 0, 0], { processes: 8, jobsPerS: 2 }).waitsS).toEqual([0, 0.5, 1, 1.5]);
  });
});

const burst = (count: number) => Array.from({ length: count }, () => 1);

describe('a simulated queue whose processes follow its length', () => {
  const scaling = { minProcesses: 0, maxProcesses: 50, jobsPerProcess: 3, intervalS: 15, startS: 60, coolDownS: 300 };

  it('lets the first job wait for the look at the queue and the start of a process', () => {
    expect(runListed([1], { processes: scaling }).waitsS).toEqual([74]);
  });

  it('pays for a process from its start until the cool-down after its last job', () => {
    // Wanted at 15, 30, 45, 60 and 75 s; not wanted from then on, removed 300 s after 75 s.
    const { workerS, endS } = runListed([1], { processes: scaling });
    expect(workerS).toBe(375 - 15);
    expect(endS).toBe(1_000);
  });

  it('keeps the processes that are always wanted', () => {
    const { waitsS, workerS } = runListed([1], { processes: { ...scaling, minProcesses: 1 } });
    expect(waitsS).toEqual([0]);
    expect(workerS).toBe(1_000);
  });

  it('never has more processes than allowed', () => {
    const { mostWorkers } = runListed(burst(500), { processes: { ...scaling, maxProcesses: 7 }, workersPerProcess: 2 });
    expect(mostWorkers).toBe(14);
  });

  it('works off a burst as fast as processes may be added: 1, 5, 10, 20 and 40', () => {
    const { tookS } = runListed(burst(120), { processes: { ...scaling, startS: 0 } });
    // 15 jobs with one, 75 with 5, and the last 30 from 45 s to 48 s with the 10 then wanted.
    expect(Math.max(...tookS)).toBe(47);
  });

  it('loses no job when processes end while they work', () => {
    const atS = Array.from({ length: 300 }, (_, index) => (index < 200 ? 1 : 3 * index));
    const { waitsS } = runListed(atS, {
      processes: { ...scaling, coolDownS: 15 },
      serviceS: () => 20,
      durationS: 5_000,
    });
    expect(waitsS).toHaveLength(300);
  });

  it('equals a fixed number of processes when that is both the least and the most', () => {
    const fixed = runListed(burst(50), { processes: 4 });
    const scaled = runListed(burst(50), { processes: { ...scaling, minProcesses: 4, maxProcesses: 4 } });
    expect(scaled.waitsS).toEqual(fixed.waitsS);
  });
});
