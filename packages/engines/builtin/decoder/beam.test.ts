import { describe, expect, test } from 'vitest';
import { createBeams, improves, pruned, put } from './beam.ts';

const LIMITS = { beamMargin: 5, beamWidth: 3 };
const history = (score: number, previousWord: number, word: number) => ({ score, previousWord, word });
function beamOf(...histories: readonly (readonly [score: number, previousWord: number, word: number])[]) {
  const [beam] = createBeams<ReturnType<typeof history>>(1);
  for (const item of histories) put(beam!, history(...item));
  return beam!;
}

describe('a beam', () => {
  test('keeps the best history for each pair of last words', () => {
    const beam = beamOf([-3, 1, 2]);
    expect(improves(beam, -4, 1, 2, LIMITS)).toBe(false);
    expect(improves(beam, -3, 1, 2, LIMITS)).toBe(false);
    expect(improves(beam, -2, 1, 2, LIMITS)).toBe(true);
    expect(improves(beam, -4, 2, 1, LIMITS)).toBe(true);
  });

  test('refuses what is too far below the best, and what is no number', () => {
    const beam = beamOf([-1, 1, 2]);
    expect(improves(beam, -6, 3, 3, LIMITS)).toBe(true);
    expect(improves(beam, -6.01, 3, 3, LIMITS)).toBe(false);
    expect(improves(beam, Number.NaN, 3, 3, LIMITS)).toBe(false);
  });

  test('tells pairs of large word numbers apart', () => {
    const beam = beamOf([-1, 1, 0]);
    expect(improves(beam, -2, 0, 0xfffff, LIMITS)).toBe(true);
    expect(improves(beam, -2, 1, 0, LIMITS)).toBe(false);
  });

  test('gives the survivors, best first', () => {
    const beam = beamOf([-4, 1, 1], [-1, 1, 2], [-3, 1, 3], [-2, 1, 4], [-9, 1, 5]);
    expect(pruned(beam, LIMITS).map(({ score }) => score)).toEqual([-1, -2, -3]);
    expect(pruned(beam, { beamMargin: 1, beamWidth: 9 }).map(({ score }) => score)).toEqual([-1, -2]);
  });

  test('that is empty or absent has none', () => {
    expect(pruned(createBeams(1)[0], LIMITS)).toEqual([]);
    expect(pruned(undefined, LIMITS)).toEqual([]);
  });

  test('is independent of the others', () => {
    const [first, second] = createBeams<ReturnType<typeof history>>(2);
    put(first!, history(-1, 1, 1));
    expect(pruned(second, LIMITS)).toEqual([]);
  });
});
