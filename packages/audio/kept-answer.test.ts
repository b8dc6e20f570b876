import { beforeEach, expect, it } from 'vitest';
import { keepAnswer } from './kept-answer.ts';

let computed: number[][];
beforeEach(() => void (computed = []));

const sums = () =>
  keepAnswer(async (samples) => {
    computed.push([...samples]);
    if (samples.length === 0) throw new Error('there is no sound');
    return samples.reduce((all, sample) => all + sample, 0);
  });

it('gives a kept answer once, for the same samples', async () => {
  const sum = sums();
  expect(await sum.keep(Float32Array.of(1, 2))).toBe(3);
  expect(await sum.take(Float32Array.of(1, 2, 0))).toBe(3);
  expect(await sum.take(Float32Array.of(1, 2))).toBe(3);
  expect(await sum.take(Float32Array.of(1, 2))).toBe(3);
  expect(computed).toEqual([
    [1, 2],
    [1, 2, 0],
    [1, 2],
  ]);
});

it('compares with the samples as they were, although their buffer is used again', async () => {
  const sum = sums();
  const buffer = Float32Array.of(1, 2, 3);
  await sum.keep(buffer.subarray(0, 2));
  buffer.fill(4);
  expect(await sum.take(buffer.subarray(0, 2))).toBe(8);
});

it('keeps no failure', async () => {
  const sum = sums();
  await expect(sum.keep(new Float32Array(0))).rejects.toThrow('there is no sound');
  await expect(sum.take(new Float32Array(0))).rejects.toThrow('there is no sound');
  expect(computed).toHaveLength(2);
});
