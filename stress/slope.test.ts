import { expect, it } from 'vitest';
import { growthOf } from './slope.ts';

/** Repeating noise of ±5. */
const NOISE = [0, 5, -3, 2, -5, 1, 4, -4, 3, -3];
const series = (perStep: number) => Array.from({ length: 100 }, (_, i) => 100 + perStep * i + NOISE[(i * 7) % 10]!);

it('noise without growth has an interval around zero', () => {
  const { low, high } = growthOf(series(0));
  expect(low).toBeLessThanOrEqual(0);
  expect(high).toBeGreaterThanOrEqual(0);
});

it('growth within the noise is found', () => {
  const { low, estimate, high } = growthOf(series(0.2));
  expect(low).toBeGreaterThan(0);
  expect(low).toBeLessThanOrEqual(20);
  expect(high).toBeGreaterThanOrEqual(20);
  expect(estimate).toBeCloseTo(20, 0);
});

it('a single peak is no growth', () => {
  expect(growthOf(series(0).with(99, 1_000)).low).toBeLessThanOrEqual(0);
});

it('too few values are refused', () => {
  expect(() => growthOf([1, 2, 3])).toThrow('growth needs 10 values, not 3');
});
