import { describe, expect, it } from 'vitest';
import { findSlots, slotLogp } from './syllable-slots.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

const LABELS: AcousticLabels = { frameMs: 30, onsets: ['b'], rimes: ['a', 'i'], tones: 1, phones: [] };
const COLUMNS = { b: 1, a: 2, i: 3 } as const;

/**
 * Makes posteriors with one frame per letter: a symbol with 90 %, in upper case with 10 %, `.` for
 * silence. The remaining probability of a frame is the blank's.
 */
function posteriorsOf(letters: string): Posteriors {
  const rows = [...letters].map((letter) => {
    const row = [0, 1e-5, 1e-5, 1e-5];
    const column = COLUMNS[letter.toLowerCase() as keyof typeof COLUMNS] as number | undefined;
    if (column !== undefined) row[column] = letter === letter.toLowerCase() ? 0.9 : 0.1;
    row[0] = 1 - row.reduce((sum, p) => sum + p, 0);
    return row;
  });
  return {
    frameCount: rows.length,
    symbolLogp: Float32Array.from(rows.flat(), Math.log),
    toneLogp: new Float32Array(rows.length),
  };
}

const find = (letters: string) => findSlots(posteriorsOf(letters), LABELS);
const rangesOf = (letters: string) => find(letters).slots.map(({ from, to }) => `${from}-${to}`);
/** Returns the best syllable of each slot from one node to the next. */
const bestOf = (letters: string) =>
  find(letters)
    .slots.filter(({ from, to }) => to === from + 1)
    .map(({ candidates: [best] }) => `${best!.onset < 0 ? '' : 'b'}${best!.rime === 0 ? 'a' : 'i'}`);

describe('the slots of an utterance', () => {
  it.each(['', '....', '.b.bb..'])('are none without a rime: %j', (letters) => {
    expect(find(letters)).toEqual({ nodeCount: 1, slots: [] });
  });

  it.each([
    ['..ba....', ['0-1'], ['ba']],
    ['.ba.....i...', ['0-1', '1-2'], ['ba', 'i']],
    ['.aaa....baa.', ['0-1', '1-2'], ['a', 'ba']],
    // A probability of 10 % suffices for a slot.
    ['.ba.....I...', ['0-1', '1-2'], ['ba', 'i']],
  ])('%s begin and end at its rimes', (letters, ranges, best) => {
    expect(rangesOf(letters)).toEqual(ranges);
    expect(bestOf(letters)).toEqual(best);
  });

  it.each([
    ['.a..i....', ['0-1', '0-2', '1-2']],
    ['.a...i...', ['0-1', '1-2']],
    // Another rime directly after is another spike.
    ['.ai......', ['0-1', '0-2', '1-2']],
    ['.a.i.a...', ['0-1', '0-2', '0-3', '1-2', '1-3', '2-3']],
    // A slot takes at most three spikes together.
    ['.a.i.a.i.', ['0-1', '0-2', '0-3', '1-2', '1-3', '1-4', '2-3', '2-4', '3-4']],
    ['.a.i....a.', ['0-1', '0-2', '1-2', '2-3']],
  ])('%s may take rimes together that are close', (letters, ranges) => {
    expect(rangesOf(letters)).toEqual(ranges);
    expect(find(letters).nodeCount).toBe(Number(ranges.at(-1)!.split('-')[1]) + 1);
  });

  it('cover all frames once along the path of the short ones', () => {
    for (const letters of ['..ba..i.a....', 'a.i.a.i.a', '.....a', 'a.....']) {
      const posteriors = posteriorsOf(letters);
      const { slots } = findSlots(posteriors, LABELS);
      const silence = slots.filter(({ from, to }) => to === from + 1).reduce((sum, slot) => sum + slot.silenceLogp, 0);
      const blanks = Array.from({ length: letters.length }, (_, frame) => posteriors.symbolLogp[frame * 4]!);
      expect(silence).toBeCloseTo(
        blanks.reduce((sum, logp) => sum + logp, 0),
        5,
      );
    }
  });

  it('may be silence only where they have one rime', () => {
    for (const { from, to, silenceLogp } of find('.a.i.a...').slots) {
      expect(Number.isFinite(silenceLogp)).toBe(to === from + 1);
    }
  });

  it('have a probability of at most one in all', () => {
    for (const letters of ['.ba..', '.I..', '.a.i.A.', 'bAi']) {
      for (const slot of find(letters).slots) {
        const p = Math.exp(slotLogp(slot));
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1 + 1e-6);
        const all = slot.candidates.reduce((sum, { logp }) => sum + Math.exp(logp), Math.exp(slot.silenceLogp));
        expect(p).toBeCloseTo(all, 9);
      }
    }
  });
});
