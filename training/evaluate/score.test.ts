import { describe, expect, it } from 'vitest';
import { editDistance, errorRate } from './score.ts';

describe('editDistance', () => {
  it.each([
    [[], [], 0],
    [['a'], [], 1],
    [[], ['a', 'b'], 2],
    [['a', 'x', 'c'], ['a', 'b', 'c'], 1],
    [['a', 'c'], ['a', 'b', 'c'], 1],
    [['b', 'a'], ['a', 'b'], 2],
  ])('%j against %j is %i', (heard, expected, distance) => {
    expect(editDistance(heard, expected)).toBe(distance);
  });
});

describe('errorRate', () => {
  it('weighs recordings by their length', () => {
    expect(
      errorRate([
        { errors: 1, length: 1 },
        { errors: 0, length: 9 },
      ]).rate,
    ).toBeCloseTo(0.1);
  });

  it('is the same every time', () => {
    const counts = Array.from({ length: 40 }, (_, i) => ({ errors: i % 3, length: 5 }));
    expect(errorRate(counts)).toEqual(errorRate(counts));
  });

  it('has a narrower interval with more recordings', () => {
    const few = Array.from({ length: 20 }, (_, i) => ({ errors: i % 2, length: 2 }));
    const many = Array.from({ length: 500 }, (_, i) => ({ errors: i % 2, length: 2 }));
    expect(errorRate(many).margin).toBeLessThan(errorRate(few).margin);
  });
});
