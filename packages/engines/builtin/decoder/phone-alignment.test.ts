import { describe, expect, test } from 'vitest';
import { alignPhones } from './phone-alignment.ts';
import type { Posteriors } from './types.ts';

const WIDTH = 4;

/**
 * Makes posteriors with one letter a frame: `-` the blank, `a`, `b`, `c` the columns 1 to 3, with
 * probability 0.97.
 */
function posteriorsOf(frames: string): Posteriors {
  const symbolLogp = Float32Array.from(
    [...frames].flatMap((sign) =>
      Array.from({ length: WIDTH }, (_, column) => Math.log(column === '-abc'.indexOf(sign) ? 0.97 : 0.01)),
    ),
  );
  return { frameCount: frames.length, symbolLogp, toneLogp: new Float32Array() };
}
const columnsOf = (phones: string) => [...phones].map((phone) => '-abc'.indexOf(phone));
const align = (frames: string, phones: string, from = 0, to = frames.length) =>
  alignPhones(posteriorsOf(frames), WIDTH, columnsOf(phones), from, to).map(({ startFrame, endFrame }) => [
    startFrame,
    endFrame,
  ]);

describe('phones in frames', () => {
  test.each([
    ['-a-', 'a', [[1, 2]]],
    ['aaa', 'a', [[0, 3]]],
    [
      '-aa--bb-',
      'ab',
      [
        [1, 3],
        [5, 7],
      ],
    ],
    [
      'ab',
      'ab',
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [
      'a-a',
      'aa',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [
      '-a-b-c-',
      'abc',
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      'abc',
      'abc',
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ],
  ])('%s of %s', (frames, phones, ranges) => {
    expect(align(frames, phones)).toEqual(ranges);
  });

  test('equal phones side by side need a blank between them', () => {
    expect(align('aaaa', 'aa')).toHaveLength(2);
    const [first, second] = align('aaaa', 'aa');
    expect(second![0]! - first![1]!).toBeGreaterThanOrEqual(1);
    expect(align('aa', 'aa')).toEqual([]);
  });

  test.each([
    ['a', 'ab', 'fewer frames than phones'],
    ['', 'a', 'no frames'],
    ['aa', 'aaa', 'no place for blanks'],
  ])('%j has no path of %s: %s', (frames, phones) => {
    expect(align(frames, phones)).toEqual([]);
  });

  test('no phones fill any frames', () => {
    expect(align('---', '')).toEqual([]);
  });

  test('only the given frames count', () => {
    expect(align('a--a--', 'a', 2, 6)).toEqual([[3, 4]]);
    expect(align('a--a--', 'a', 0, 2)).toEqual([[0, 1]]);
    expect(align('a--a--', 'a', 4, 4)).toEqual([]);
    expect(align('a--a--', 'a', 5, 3)).toEqual([]);
  });

  test('the probability of a phone is that of its best frame', () => {
    const [present] = alignPhones(posteriorsOf('-a-'), WIDTH, [1], 0, 3);
    expect(present!.logp).toBeCloseTo(Math.log(0.97), 5);
    const [absent] = alignPhones(posteriorsOf('---'), WIDTH, [1], 0, 3);
    expect(absent!.logp).toBeCloseTo(Math.log(0.01), 5);
  });

  test('impossible frames have no path', () => {
    const posteriors = { ...posteriorsOf('aaa'), symbolLogp: new Float32Array(12).fill(-Infinity) };
    expect(alignPhones(posteriors, WIDTH, [1], 0, 3)).toEqual([]);
    const unknown = { ...posteriorsOf('aaa'), symbolLogp: new Float32Array(12).fill(Number.NaN) };
    expect(alignPhones(unknown, WIDTH, [1], 0, 3)).toEqual([]);
  });
});
