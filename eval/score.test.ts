import { describe, expect, it } from 'vitest';
import { editDistance, errorRate, type Count, type ErrorRate } from './score.ts';

describe('editDistance', () => {
  it.each([
    [[], [], 0],
    [['a'], [], 1],
    [[], ['a', 'b'], 2],
    [['a', 'x', 'c'], ['a', 'b', 'c'], 1],
    [['a', 'c'], ['a', 'b', 'c'], 1],
    [['b', 'a'], ['a', 'b'], 2],
  ])('%j against %j is %i', (recognized, expected, distance) => {
    expect(editDistance(recognized, expected)).toBe(distance);
  });
});

const count = (errors: number, length: number, speaker: string | null = null): Count => ({ errors, length, speaker });
const width = ({ interval }: ErrorRate) => (interval === null ? NaN : interval.high - interval.low);

describe('errorRate', () => {
  it('weights recordings by their length', () => {
    expect(errorRate([count(1, 1), count(0, 9)]).rate).toBeCloseTo(0.1);
  });

  it('is deterministic', () => {
    const counts = Array.from({ length: 40 }, (_, i) => count(i % 3, 5));
    expect(errorRate(counts)).toEqual(errorRate(counts));
  });

  it('lies inside its interval, which narrows with more recordings', () => {
    const few = errorRate(Array.from({ length: 20 }, (_, i) => count(i % 2, 2)));
    const many = errorRate(Array.from({ length: 500 }, (_, i) => count(i % 2, 2)));
    expect(few.interval!.low).toBeLessThan(0.25);
    expect(few.interval!.high).toBeGreaterThan(0.25);
    expect(width(many)).toBeLessThan(width(few));
  });

  it('has the interval of the central limit theorem for many independent recordings', () => {
    const { interval } = errorRate(Array.from({ length: 1_000 }, (_, i) => count(i % 5 === 0 ? 1 : 0, 1)));
    const margin = 1.96 * Math.sqrt((0.2 * 0.8) / 1_000);
    expect(interval!.low).toBeCloseTo(0.2 - margin, 2);
    expect(interval!.high).toBeCloseTo(0.2 + margin, 2);
  });

  it('resamples known speakers, because errors of one voice are correlated', () => {
    const bySpeaker = Array.from({ length: 200 }, (_, i) => count(i % 5 === 0 ? 1 : 0, 1, `speaker ${i % 5}`));
    const unknown = bySpeaker.map((recording) => ({ ...recording, speaker: null }));
    expect(errorRate(bySpeaker)).toMatchObject({ rate: 0.2, drawn: 'speakers', drawnFrom: 5 });
    expect(errorRate(unknown)).toMatchObject({ rate: 0.2, drawn: 'recordings', drawnFrom: 200 });
    expect(width(errorRate(bySpeaker))).toBeGreaterThan(3 * width(errorRate(unknown)));
  });

  it('treats recordings of unknown speakers as separate speakers, and resamples recordings of fewer than five', () => {
    const unknown = [count(1, 1), count(0, 1), count(0, 1), count(1, 1)];
    expect(errorRate([count(0, 1, 'a'), count(1, 1, 'a'), ...unknown])).toMatchObject({
      drawn: 'speakers',
      drawnFrom: 5,
    });
    expect(errorRate([count(0, 1, 'a'), count(1, 1, 'b'), count(0, 1, 'a')])).toMatchObject({
      drawn: 'recordings',
      drawnFrom: 3,
    });
  });

  it('is null without reference tokens', () => {
    expect(errorRate([])).toMatchObject({ rate: null, interval: null });
    expect(errorRate([count(3, 0), count(2, 0)])).toMatchObject({ rate: null, interval: null });
    expect(errorRate([count(1, 2)])).toMatchObject({ rate: 0.5, interval: null });
  });

  it('exceeds one when more tokens are inserted than expected', () => {
    expect(errorRate([count(3, 1), count(3, 1)])).toMatchObject({ rate: 3, interval: { low: 3, high: 3 } });
  });
});
