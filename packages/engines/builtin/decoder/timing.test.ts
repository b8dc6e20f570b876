import { describe, expect, test } from 'vitest';
import { frameTimes } from './timing.ts';

const FRAME_MS = 10;
const timesOf = (frames: readonly (readonly [number, number])[], frameCount: number, tail?: number) =>
  frameTimes(
    frames.map(([startFrame, endFrame]) => ({ startFrame, endFrame })),
    FRAME_MS,
    frameCount,
    tail,
  ).map(({ startMs, endMs }) => [startMs, endMs]);

test.each([
  ['a syllable begins two frames before its symbol and ends two after', [[10, 12]], 100, [[80, 140]]],
  ['it begins no earlier than the sound', [[1, 3]], 100, [[0, 50]]],
  ['it ends no later than the sound', [[90, 99]], 100, [[880, 1_000]]],
  [
    'it ends where the next one begins',
    [
      [10, 12],
      [13, 15],
    ],
    100,
    [
      [80, 110],
      [110, 170],
    ],
  ],
  [
    'a distant next one does not prolong it',
    [
      [10, 12],
      [50, 52],
    ],
    100,
    [
      [80, 140],
      [480, 540],
    ],
  ],
  [
    'two at the same symbol still have a frame each',
    [
      [10, 11],
      [10, 11],
    ],
    100,
    [
      [80, 90],
      [90, 130],
    ],
  ],
  ['a symbol beyond the sound is moved to its last frame', [[500, 501]], 100, [[990, 1_000]]],
  ['nothing has no times', [], 100, []],
] as const)('%s', (_name, frames, frameCount, expected) => {
  expect(timesOf(frames, frameCount)).toEqual(expected);
});

test('the tail can be longer', () => {
  expect(timesOf([[10, 12]], 100, 20)).toEqual([[80, 320]]);
});

describe('any frames in order', () => {
  const cases = Array.from({ length: 200 }, (_, seed) => {
    const starts = Array.from({ length: 1 + (seed % 7) }, (_unused, at) => (seed * 31 + at * at * 17) % 60).toSorted(
      (a, b) => a - b,
    );
    return starts.map((start): [number, number] => [start, start + 1 + ((seed + start) % 5)]);
  });

  test('give times in order, without overlap, within the sound, at least a frame long', () => {
    for (const frames of cases) {
      let reachedMs = 0;
      for (const [startMs = 0, endMs = 0] of timesOf(frames, 70)) {
        expect(startMs).toBeGreaterThanOrEqual(reachedMs);
        expect(endMs).toBeGreaterThanOrEqual(startMs + FRAME_MS);
        expect(endMs).toBeLessThanOrEqual(700);
        reachedMs = endMs;
      }
    }
  });

  test('give times within a sound without frames', () => {
    for (const frames of cases)
      expect(
        timesOf(frames, 0)
          .flat()
          .every((time) => time === 0),
      ).toBe(true);
  });
});
