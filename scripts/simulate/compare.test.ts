import { describe, expect, it } from 'vitest';
import { compareQueues, compareRuns, compareSlowed } from './compare.ts';
import type { MeasuredRun } from './measured-runs.ts';

/** Recordings that workers of a fixed speed would end; `slower` is what each takes longer. */
function measure(workers: number, atS: readonly number[], slower = 1): MeasuredRun {
  const freeS = Array.from({ length: workers }, () => 0);
  const jobs = atS.map((arrivedS, index) => {
    const audioS = [60, 120, 180][index % 3]!;
    const workedS = 0.01 * audioS * slower;
    const first = freeS.indexOf(Math.min(...freeS));
    const endedS = Math.max(arrivedS, freeS[first]!) + workedS + 0.1;
    freeS[first] = endedS;
    return { arrivedS, endedS, audioS, workedS };
  });
  const arrivals = atS.every((arrivalS) => arrivalS === 0) ? 'at once' : 'Poisson';
  return { workers, arrivals, jobs, wallSeconds: Math.max(...freeS), cpuSeconds: { others: 0 } };
}

const burst = Array.from({ length: 30 }, () => 0);
const spread = Array.from({ length: 30 }, (_, index) => index * 0.9);

describe('the comparison with a measured cluster', () => {
  it('predicts two workers exactly from one when they do not slow one another down', () => {
    const compared = compareRuns([measure(1, burst), measure(2, burst), measure(2, spread)], Infinity);
    expect(compared.map(({ what }) => what)).toEqual([...FIGURES, ...FIGURES]);
    for (const { difference } of compared) expect(Math.abs(difference)).toBeLessThan(1e-9);
  });

  it('shows by how much workers slow one another down', () => {
    const slower = [measure(1, burst), measure(2, burst, 1.3)];
    const end = compareRuns(slower, Infinity).find(({ what }) => what === 'last end');
    expect(end?.difference).toBeLessThan(-0.15);
    for (const { difference } of compareQueues(slower)) expect(Math.abs(difference)).toBeLessThan(1e-9);
  });

  it('predicts two workers that share one processor', () => {
    const alone = measure(1, burst);
    // One worker keeps one processor busy, so two take as long as one.
    const sharing = { ...alone, cpuSeconds: { ...alone.cpuSeconds, recognition: alone.wallSeconds } };
    const end = compareRuns([sharing, { ...alone, workers: 2 }], 1).find(({ what }) => what === 'last end');
    expect(Math.abs(end?.difference ?? 1)).toBeLessThan(1e-9);
  });

  it('predicts from one worker whose recordings arrived in the same way, where that was measured', () => {
    const dearer = 1.1;
    const runs = [measure(1, burst, dearer), measure(1, spread), measure(2, burst, dearer), measure(2, spread)];
    const compared = compareRuns(runs, Infinity);
    const ofTwo = compared.filter(({ workers }) => workers === 2);
    expect(ofTwo.map(({ arrivals }) => arrivals)).toEqual([
      ...FIGURES.map(() => 'at once'),
      ...FIGURES.map(() => 'Poisson'),
    ]);
    for (const { difference } of ofTwo) expect(Math.abs(difference)).toBeLessThan(1e-9);
    // The run of one worker itself can only be predicted from the other one.
    const ofOne = compared.filter(({ workers }) => workers === 1);
    expect(ofOne.map(({ arrivals }) => arrivals)).toEqual(FIGURES.map(() => 'Poisson'));
    expect(Math.max(...ofOne.map(({ difference }) => difference))).toBeGreaterThan(0.05);
  });

  it('predicts random arrivals from how much two workers slowed one another down at once', () => {
    const gap = Array.from({ length: 30 }, (_, index) => 10 * Math.floor(index / 2));
    const runs = [measure(1, burst), measure(1, gap), measure(2, burst, 1.25), measure(2, gap, 1.25)];
    const ofTwo = compareSlowed(runs).filter(({ workers }) => workers === 2);
    expect(ofTwo.map(({ arrivals }) => arrivals)).toEqual(FIGURES.map(() => 'Poisson'));
    // The longer of two that arrive together is alone at its end, and then faster.
    for (const { difference } of ofTwo) {
      expect(difference).toBeLessThan(0);
      expect(difference).toBeGreaterThan(-0.12);
    }
    const withoutIt = compareRuns(runs, Infinity).filter(
      ({ workers, arrivals }) => workers === 2 && arrivals !== 'at once',
    );
    expect(withoutIt.find(({ what }) => what === 'mean')?.difference).toBeLessThan(-0.15);
  });

  it('compares nothing without a run of one worker alone', () => {
    expect(compareRuns([measure(2, burst)], 2)).toEqual([]);
  });
});

const FIGURES = ['mean', 'p50', 'p95', 'last end'];
