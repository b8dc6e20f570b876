import { describe, expect, it } from 'vitest';
import { findCandidates, silenceLogp, type SyllableCandidate } from './syllable-candidates.ts';
import { createRandom } from '@jyutsing/numeric/random';
import type { AcousticLabels, Posteriors } from './types.ts';

const LABELS: AcousticLabels = { frameMs: 30, onsets: ['b', 'k'], rimes: ['a', 'i'], tones: 2, phones: [] };
/** Number of columns: blank, b, k, a, i. */
const WIDTH = 5;
const FIRST_RIME = 3;

/** Makes posteriors of frames, each from the probabilities of the symbols and of the two tones. */
function posteriorsOf(frames: readonly (readonly number[])[], tones: readonly (readonly number[])[]): Posteriors {
  return {
    frameCount: frames.length,
    symbolLogp: Float32Array.from(frames.flat(), Math.log),
    toneLogp: Float32Array.from(tones.flat(), Math.log),
  };
}

function randomRow(size: number, random: () => number): number[] {
  const row = Array.from({ length: size }, () => 0.02 + random());
  const sum = row.reduce((total, value) => total + value, 0);
  return row.map((value) => value / sum);
}

function randomPosteriors(frameCount: number, seed: number): Posteriors {
  const random = createRandom(seed);
  return posteriorsOf(
    Array.from({ length: frameCount }, () => randomRow(WIDTH, random)),
    Array.from({ length: frameCount }, () => randomRow(2, random)),
  );
}

/** Spells a path by the rule of CTC: repetitions are one symbol, blanks are none. */
const spelled = (path: readonly number[]) => path.filter((symbol, at) => symbol > 0 && symbol !== path[at - 1]).join();

/**
 * Computes the probability of every spelling: the sum over all paths through the frames, one by
 * one.
 */
function probabilitiesOfSpellings({ frameCount, symbolLogp }: Posteriors): Map<string, number> {
  const sums = new Map<string, number>();
  for (let number = 0; number < WIDTH ** frameCount; number += 1) {
    const path = Array.from({ length: frameCount }, (_, frame) => Math.floor(number / WIDTH ** frame) % WIDTH);
    const p = path.reduce((product, symbol, frame) => product * Math.exp(symbolLogp[frame * WIDTH + symbol]!), 1);
    sums.set(spelled(path), (sums.get(spelled(path)) ?? 0) + p);
  }
  return sums;
}

const spellingOf = ({ onset, rime }: SyllableCandidate) =>
  [...(onset < 0 ? [] : [onset + 1]), rime + FIRST_RIME].join();

const BLANK = [0.9999, 0.000_025, 0.000_025, 0.000_025, 0.000_025];
const EVEN = [0.5, 0.5];
/** The frames contain silence, b, a for two frames with the second tone, silence. */
const BA2 = posteriorsOf(
  [BLANK, [0.04, 0.9, 0.02, 0.02, 0.02], [0.06, 0.01, 0.01, 0.9, 0.02], [0.16, 0.01, 0.01, 0.8, 0.02], BLANK],
  [EVEN, EVEN, [0.1, 0.9], [0.3, 0.7], EVEN],
);

/** Makes a frame in which the rime a has this probability. */
const rimeAt = (p: number) => [1 - p - 0.003, 0.001, 0.001, p, 0.001];

describe('candidates for a range of frames', () => {
  it.each([1, 2, 3, 4, 5])('have the probability of all paths that spell them (%i frames)', (frameCount) => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const posteriors = randomPosteriors(frameCount, seed * 100 + frameCount);
      const expected = probabilitiesOfSpellings(posteriors);
      const candidates = findCandidates(posteriors, LABELS, 0, frameCount);
      // The candidates are no onset or either, both rimes, both tones; a single frame has no room
      // for two symbols.
      expect(candidates).toHaveLength(frameCount === 1 ? 4 : 12);
      for (const candidate of candidates) {
        expect(Math.exp(candidate.segmentalLogp)).toBeCloseTo(expected.get(spellingOf(candidate))!, 6);
      }
      expect(Math.exp(silenceLogp(posteriors, LABELS, 0, frameCount))).toBeCloseTo(expected.get('')!, 6);
    }
  });

  it('are the best first, with the tone as a factor', () => {
    const candidates = findCandidates(randomPosteriors(6, 7), LABELS, 0, 6);
    expect(candidates.map(({ logp }) => logp)).toEqual(candidates.map(({ logp }) => logp).toSorted((a, b) => b - a));
    for (const { logp, segmentalLogp, toneLogp } of candidates) expect(logp).toBeCloseTo(segmentalLogp + toneLogp, 9);
    for (const tonesOfOne of Map.groupBy(candidates, spellingOf).values()) {
      expect(tonesOfOne.reduce((sum, { toneLogp }) => sum + Math.exp(toneLogp), 0)).toBeCloseTo(1, 5);
    }
  });

  it('know the syllable and where it is', () => {
    const [best] = findCandidates(BA2, LABELS, 0, 5);
    expect(best).toMatchObject({ onset: 0, rime: 0, tone: 1, startFrame: 1, endFrame: 4 });
    // Both frames of the rime count for the tone, weighted by the probability of the rime.
    expect(Math.exp(best!.toneLogp)).toBeCloseTo((0.9 * 0.9 + 0.8 * 0.7) / 1.7, 5);
  });

  it('have the frames of the rime around its peak, down to a fifth of it', () => {
    const rows = [0.1, 0.2, 0.9, 0.5, 0.17, 0.6, 0.1].map(rimeAt);
    const evenTones = rows.map(() => EVEN);
    const [best] = findCandidates(posteriorsOf(rows, evenTones), LABELS, 0, rows.length);
    expect(best).toMatchObject({ rime: 0, startFrame: 1, endFrame: 4 });
  });

  it('pass over silence at either end in one step', () => {
    const within = findCandidates(BA2, LABELS, 1, 4)[0]!;
    const around = findCandidates(BA2, LABELS, 0, 5)[0]!;
    expect(around.segmentalLogp).toBeCloseTo(within.segmentalLogp + 2 * Math.log(0.9999), 6);
    expect([around.startFrame, around.endFrame]).toEqual([within.startFrame, within.endFrame]);
  });

  it('begin with the onset only where it comes before the rime', () => {
    const late = posteriorsOf(
      [
        [0.1, 0.02, 0.02, 0.84, 0.02],
        [0.2, 0.7, 0.04, 0.03, 0.03],
        [0.9, 0.025, 0.025, 0.025, 0.025],
      ],
      [EVEN, EVEN, EVEN],
    );
    const withFirstRime = findCandidates(late, LABELS, 0, 3).filter(({ rime }) => rime === 0);
    expect(new Set(withFirstRime.map(({ startFrame }) => startFrame))).toEqual(new Set([0]));
  });

  it('leave out what is far less likely than the best', () => {
    const certain = [3e-6, 1e-6, 1e-6, 1 - 6e-6, 1e-6];
    const candidates = findCandidates(posteriorsOf([certain, certain], [EVEN, EVEN]), LABELS, 0, 2);
    expect(new Set(candidates.map(spellingOf))).toEqual(new Set(['3']));
  });

  it.each([
    ['no frames', 0, 0],
    ['silence', 0, 1],
  ])('are none in %s', (_name, start, end) => {
    expect(findCandidates(BA2, LABELS, start, end)).toEqual([]);
  });

  it('that are no numbers are left out', () => {
    const broken = randomPosteriors(3, 5);
    broken.symbolLogp.fill(Number.NaN);
    expect(findCandidates(broken, LABELS, 0, 3)).toEqual([]);
  });
});
