import { describe, expect, it } from 'vitest';
import { exponential, seededRandom, simulateQueue } from './queue.ts';

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs a queue with Poisson arrivals and a mean of one second of work on each job. */
function run(options: { perSecond: number; workers: number; fixed?: boolean; seed?: number }) {
  const random = seededRandom(options.seed ?? 1);
  return simulateQueue({
    nextArrivalS: (afterS) => afterS + exponential(1 / options.perSecond, random),
    serviceS: () => (options.fixed ? 1 : exponential(1, random)),
    workers: options.workers,
    durationS: 400_000 / options.perSecond,
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
});
