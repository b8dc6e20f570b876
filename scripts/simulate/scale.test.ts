import { describe, expect, it } from 'vitest';
import { factorAtLimit, scaleBy } from './scale.ts';

const plan = {
  day: { perHour: 1_000, swing: 0.8 },
  audioS: 60,
  serviceS: 2,
  nextServiceS: () => 2,
  workersPerProcess: 2,
  pollS: 1,
  limits: { connections: 100, queueJobsPerS: 2_500, databaseCores: 16, uploadBytesPerS: 1.25e9 },
  seed: 1,
};

describe('a service that grows', () => {
  it('is simulated at the rate of its busiest time', () => {
    expect(scaleBy(1, plan).busyWorkers).toBeCloseTo(1);
    expect(scaleBy(10, plan).busyWorkers).toBeCloseTo(10);
  });

  it('gets enough workers to keep waiting short at any size', () => {
    for (const factor of [1, 10, 100, 1_000]) expect(scaleBy(factor, plan).waitP95S).toBeLessThan(2);
  });

  it('has as many recordings in progress as arrive while one is worked on, by Little’s law', () => {
    const { inProgress, waitP95S } = scaleBy(100, plan);
    expect(waitP95S).toBeLessThan(0.5);
    expect(Math.abs(inProgress / 100 - 1)).toBeLessThan(0.05);
  });

  it('waits for the queue once it hands out fewer jobs than arrive', () => {
    const slow = { ...plan, limits: { ...plan.limits, connections: 10_000, queueJobsPerS: 90 } };
    expect(scaleBy(100, slow).waitP95S).toBeGreaterThan(60);
    expect(scaleBy(100, slow).first.resource).toBe('queue');
  });
});

/** Needs of a resource at the factors 1, 2 and so on. */
const growing = (...list: number[]) =>
  list.map((need, index) => ({ factor: index + 1, needs: [{ resource: 'a', unit: '', need, limit: 100 }] }));

describe('where a limit is reached', () => {
  const scaled = [1, 10, 100].map((factor) => ({
    factor,
    needs: [{ resource: 'a', unit: '', need: 2 * factor, limit: 30 }],
  }));

  it('is between the factors on both sides of it', () => {
    expect(factorAtLimit(scaled, 0)).toBeCloseTo(15);
  });

  it('is on the first line when it is below all factors', () => {
    expect(factorAtLimit(scaled.slice(2), 0)).toBeCloseTo(15);
  });

  it('reaches no limit where a need does not grow, and one beyond all factors on the last line', () => {
    expect(factorAtLimit(growing(10, 10), 0)).toBe(Infinity);
    expect(factorAtLimit(growing(10, 10, 20), 0)).toBeCloseTo(11);
  });
});
