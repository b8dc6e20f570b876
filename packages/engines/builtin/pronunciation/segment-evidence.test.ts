import { describe, expect, it } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { addLogs } from './add-logs.ts';
import { createSegmentScorer, joinDoubles } from './segment-evidence.ts';

const LABELS: AcousticLabels = { frameMs: 30, onsets: ['g', 'h'], rimes: ['aa', 'ou'], tones: 2, phones: [] };
const WIDTH = 5;

/** Makes frames of random posteriors. */
function randomPosteriors(frameCount: number): Posteriors {
  const random = createRandom(3);
  const symbolLogp = new Float32Array(frameCount * WIDTH);
  for (let row = 0; row < symbolLogp.length; row += WIDTH) {
    const masses = Array.from({ length: WIDTH }, () => random() ** 4 + 1e-4);
    const sum = masses.reduce((total, mass) => total + mass);
    masses.forEach((mass, column) => (symbolLogp[row + column] = Math.log(mass / sum)));
  }
  return { frameCount, symbolLogp, toneLogp: new Float32Array(0) };
}

/**
 * Computes the probability of a sequence of symbols: the sum over every path of columns that
 * collapses to it.
 */
function bruteForce({ symbolLogp }: Posteriors, from: number, to: number, symbols: readonly number[]): number {
  let sum = 0;
  const walk = (frame: number, path: number[], p: number): void => {
    if (frame === to) {
      const collapsed = path.filter((column, index) => column !== 0 && column !== path[index - 1]);
      if (collapsed.join() === symbols.join()) sum += p;
      return;
    }
    for (let column = 0; column < WIDTH; column++) {
      walk(frame + 1, [...path, column], p * Math.exp(symbolLogp[frame * WIDTH + column]!));
    }
  };
  walk(from, [], 1);
  return Math.log(sum);
}

describe('evidence for onsets and rimes', () => {
  it('is the CTC probability of every pair, by the sum over all paths', () => {
    const posteriors = randomPosteriors(7);
    const { rows, columns, logp } = createSegmentScorer(LABELS)(posteriors, 1, 6);
    expect([rows, columns]).toEqual([3, 2]);
    for (let onset = 0; onset < rows; onset++) {
      for (let rime = 0; rime < columns; rime++) {
        const symbols = [...(onset === 0 ? [] : [onset]), 3 + rime];
        expect(logp[onset * columns + rime]).toBeCloseTo(bruteForce(posteriors, 1, 6, symbols), 6);
      }
    }
  });

  it('a repeated call gives the same', () => {
    const listen = createSegmentScorer(LABELS);
    const posteriors = randomPosteriors(20);
    const first = [...listen(posteriors, 0, 20).logp];
    listen(posteriors, 5, 9);
    expect([...listen(posteriors, 0, 20).logp]).toEqual(first);
  });

  it('an empty stretch and a very long one have finite logarithms', () => {
    const listen = createSegmentScorer(LABELS);
    expect([...listen(randomPosteriors(5), 2, 2).logp].every(Number.isFinite)).toBe(true);
    expect([...listen(randomPosteriors(2_000), 0, 2_000).logp].every(Number.isFinite)).toBe(true);
  });

  it('one sound with two columns has the probability of both', () => {
    const evidence = { rows: 1, columns: 2, logp: Float64Array.of(Math.log(0.2), Math.log(0.3)) };
    joinDoubles(evidence, [[0, 1]]);
    expect(evidence.logp[0]).toBeCloseTo(Math.log(0.5));
    expect(evidence.logp[1]).toBe(-Infinity);
    expect(addLogs(-Infinity, -Infinity)).toBe(-Infinity);
  });
});
