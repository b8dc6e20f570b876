import { expect, it } from 'vitest';
import {
  interpolatedQuantile,
  mean,
  meanSquare,
  median,
  pearson,
  quantile,
  rootMeanSquare,
  standardDeviation,
  sum,
  variance,
} from './statistics.ts';

it.each([mean, meanSquare, rootMeanSquare, variance, standardDeviation, median])(
  '%o of no values is NaN, or what the caller names',
  (statistic) => {
    expect(statistic([])).toBeNaN();
    expect(statistic([], 7)).toBe(7);
    expect(statistic([2], 7)).not.toBe(7);
  },
);

it('sum and mean add in order, to the last bit', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => Math.sin(index) * 10 ** (index % 9));
  const expected = values.reduce((total, value) => total + value, 0);
  expect(sum(values)).toBe(expected);
  expect(mean(values)).toBe(expected / 1_000);
  expect(sum([])).toBe(0);
});

it('the variance divides by the number of values', () => {
  expect(variance([1, 2, 3, 4])).toBe(1.25);
  expect(standardDeviation(new Float32Array([1, 1, 3, 3]))).toBe(1);
  expect(meanSquare([3, 4])).toBe(12.5);
  expect(rootMeanSquare([-2, 2, -2, 2])).toBe(2);
});

it.each([
  [0, 1],
  [0.5, 3],
  [0.74, 3],
  [0.75, 4],
  [1, 4],
])('the quantile %d of 1 to 4 is one of them: %d', (share, expected) => {
  expect(quantile([4, 1, 3, 2], share)).toBe(expected);
});

it('quantiles sort by value, also negative and long numbers, and leave the values as they are', () => {
  const values = [10, -1, 9, -20, 100];
  expect(median(values)).toBe(9);
  expect(values).toEqual([10, -1, 9, -20, 100]);
  expect(quantile([], 0.5)).toBeNaN();
  expect(quantile([], 0.5, 3)).toBe(3);
});

it('interpolated quantiles lie between values', () => {
  expect(interpolatedQuantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(interpolatedQuantile([10, 20, 30], 0.25)).toBe(15);
  expect(interpolatedQuantile([5], 0.9)).toBe(5);
  expect(interpolatedQuantile([], 0.5)).toBeNaN();
  expect(interpolatedQuantile([], 0.5, 0)).toBe(0);
});

it('Pearson correlation is 1 for a line, and null where nothing varies', () => {
  expect(pearson([1, 2, 3], [3, 5, 7])).toBeCloseTo(1, 12);
  expect(pearson([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
  expect(pearson([1, 2, 3], [4, 4, 4])).toBeNull();
});
