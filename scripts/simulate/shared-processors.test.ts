import { describe, expect, it } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { exponential } from './random.ts';
import { sharing, simulateSharing } from './shared-processors.ts';

const run = (jobs: [number, number][], workers: number, processors: number, perWorker = 1) =>
  simulateSharing({
    jobs: jobs.map(([arrivedS, aloneS]) => ({ arrivedS, aloneS })),
    workers,
    speedWith: sharing(processors, perWorker),
  }).map((tookS) => Number(tookS.toFixed(9)));

describe('workers that share processors', () => {
  it('do not notice one another while there are enough', () => {
    expect(
      run(
        [
          [0, 3],
          [0, 2],
          [1, 2],
          [10, 1],
        ],
        2,
        4,
      ),
    ).toEqual([3, 2, 3, 1]);
    expect(run([], 2, 1)).toEqual([]);
  });

  it('are slower together, and as fast as one when the other is done', () => {
    // Both at half speed for 4 s, then the first alone.
    expect(
      run(
        [
          [0, 3],
          [0, 2],
        ],
        2,
        1,
      ),
    ).toEqual([5, 4]);
    // The second arrives when half of the first is done.
    expect(
      run(
        [
          [0, 2],
          [1, 2],
        ],
        2,
        1,
      ),
    ).toEqual([3, 3]);
  });

  it('take as long as the processors need for all that is to do', () => {
    const jobs: [number, number][] = Array.from({ length: 20 }, () => [0, 1]);
    expect(Math.max(...run(jobs, 2, 2, 1.25))).toBeCloseTo((20 * 1.25) / 2, 9);
    expect(Math.max(...run(jobs, 1, 2, 1.25))).toBeCloseTo(20, 9);
  });

  it.each([Number.NaN, Infinity])('are not simulated when one uses %d processors', (perWorker) => {
    expect(() => run([[1, 1]], 1, 2, perWorker)).toThrow('no number');
  });

  it('have the mean of M/G/1 processor sharing, the work divided by what is free', () => {
    const random = createRandom(7);
    let atS = 0;
    const jobs: [number, number][] = Array.from({ length: 20_000 }, () => {
      atS += exponential(1 / 0.6, random);
      return [atS, exponential(1, random)];
    });
    const tookS = run(jobs, jobs.length, 1);
    const mean = tookS.reduce((sum, seconds) => sum + seconds, 0) / tookS.length;
    expect(Math.abs(mean / (1 / (1 - 0.6)) - 1)).toBeLessThan(0.06);
  });
});
