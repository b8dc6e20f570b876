import { expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { completeLogp, emptyPrefix, extendPrefix, type CtcFrames } from './ctc-prefix.ts';

const WIDTH = 3;

test('prefixes have the probability of all their paths', () => {
  const frames = randomFrames(5);
  const wrong: string[] = [];
  for (const columns of [[], [1], [2, 1], [1, 1], [1, 2, 1], [2, 2, 2]]) {
    const prefix = columns.reduce((found, column) => extendPrefix(found, column, frames), emptyPrefix(frames));
    const expected = { whole: 0, begins: 0 };
    for (const path of allPaths(frames.frameCount)) {
      const probability = path.reduce((product, column, frame) => product * probabilityOf(frames, frame, column), 1);
      const spelled = collapse(path);
      if (spelled.join() === columns.join()) expected.whole += probability;
      if (columns.every((column, index) => spelled[index] === column)) expected.begins += probability;
    }
    if (Math.abs(Math.exp(completeLogp(prefix)) - expected.whole) > 1e-6) wrong.push(`${columns} whole`);
    if (Math.abs(Math.exp(prefix.logp) - expected.begins) > 1e-6) wrong.push(`${columns} begins`);
  }
  expect(wrong).toEqual([]);
});

test('a text of no frames is empty', () => {
  const frames = randomFrames(0);
  const empty = emptyPrefix(frames);
  expect(completeLogp(empty)).toBe(0);
  expect(extendPrefix(empty, 1, frames).logp).toBe(-Infinity);
});

function randomFrames(frameCount: number): CtcFrames {
  const random = createRandom(7);
  const logp = new Float32Array(frameCount * WIDTH);
  for (let frame = 0; frame < frameCount; frame++) {
    const values = Array.from({ length: WIDTH }, () => random() + 0.1);
    const total = values.reduce((sum, value) => sum + value, 0);
    values.forEach((value, column) => (logp[frame * WIDTH + column] = Math.log(value / total)));
  }
  return { logp, frameCount, width: WIDTH };
}

const probabilityOf = ({ logp, width }: CtcFrames, frame: number, column: number): number =>
  Math.exp(logp[frame * width + column] ?? -Infinity);

function allPaths(length: number): number[][] {
  if (length === 0) return [[]];
  return allPaths(length - 1).flatMap((path) => Array.from({ length: WIDTH }, (_, column) => [...path, column]));
}

function collapse(path: readonly number[]): number[] {
  return path.filter((column, index) => column !== 0 && column !== path[index - 1]);
}
