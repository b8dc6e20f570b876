import { describe, expect, it } from 'vitest';
import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import { createRandom } from '@jyutsing/numeric/random';
import { labelsFor } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import type { AcousticLabels } from '#engines/builtin/decoder/types.ts';
import type { Frames, SpokenWord } from './align-words.ts';
import { readEmissions, type Emissions } from './emissions.ts';
import { nativeVariants } from './native-variants.ts';
import { phoneEvidence } from './phone-evidence.ts';
import { recognizedText } from './recognized-text.ts';

const columnOf = (phone: string) => ARPABET_PHONES.indexOf(phone) + 1;
const LABELS = labelsFor('english');
const WIDTH = ARPABET_PHONES.length + 1;
/** Labels with three phones: few enough to try every path. */
const SMALL: AcousticLabels = { ...LABELS, phones: ['P', 'T', 'K'] };

function emissionsOf(rows: readonly (readonly number[])[], labels = SMALL): Emissions {
  const symbolLogp = Float32Array.from(rows.flat(), Math.log);
  return readEmissions({ frameCount: rows.length, symbolLogp, toneLogp: new Float32Array(0) }, labels);
}

function randomRows(count: number, seed: number): number[][] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: 4 }, () => 0.05 + random());
    const sum = row.reduce((total, value) => total + value, 0);
    return row.map((value) => value / sum);
  });
}

/**
 * Computes the sum over all paths through the frames that spell one phone (0: none) by the rule of
 * CTC.
 */
function probabilityOf(phone: number, { p, width, frameCount }: Emissions): number {
  let sum = 0;
  for (let number = 0; number < width ** frameCount; number += 1) {
    const path = Array.from({ length: frameCount }, (_, frame) => Math.floor(number / width ** frame) % width);
    const spelled = path.filter((symbol, at) => symbol > 0 && symbol !== path[at - 1]);
    if (spelled.join() !== (phone === 0 ? '' : String(phone))) continue;
    sum += path.reduce((product, symbol, frame) => product * p[frame * width + symbol]!, 1);
  }
  return sum;
}

const wordOf = (...phones: (Frames | null)[]) => ({ phones }) as SpokenWord;
const frames = (startFrame: number, endFrame: number): Frames => ({ startFrame, endFrame });

/** Returns the evidence for one phone that is expected in all frames. */
const evidenceFor = (emissions: Emissions, column: number) =>
  phoneEvidence(emissions, [wordOf(frames(0, emissions.frameCount))], () => [column])[0]![0]!;

describe('the evidence for an expected phone', () => {
  it.each([1, 2, 3, 4, 5])('is its share of all paths with one phone or none (%i frames)', (count) => {
    const emissions = emissionsOf(randomRows(count, count));
    const all = [0, 1, 2, 3].map((phone) => probabilityOf(phone, emissions));
    const sum = all.reduce((total, value) => total + value, 0);
    for (const column of [1, 2, 3]) {
      const { logp, noneLogp, rival, rivalLogp } = evidenceFor(emissions, column);
      expect(Math.exp(logp)).toBeCloseTo(all[column]! / sum, 9);
      expect(Math.exp(noneLogp)).toBeCloseTo(all[0]! / sum, 9);
      const best = Math.max(
        ...[1, 2, 3].filter((candidate) => candidate !== column).map((candidate) => all[candidate]!),
      );
      expect(all[rival]).toBe(best);
      expect(Math.exp(rivalLogp)).toBeCloseTo(best / sum, 9);
    }
  });

  it('has its posterior in its best frame, at least the floor', () => {
    const rows = [
      [0.7, 0.2, 0.05, 0.05],
      [0.3, 0.6, 0.05, 0.05],
    ];
    expect(evidenceFor(emissionsOf(rows), 1).peakLogp).toBeCloseTo(Math.log(0.6), 6);
    expect(evidenceFor(emissionsOf([[1, 0, 0, 0]]), 1).peakLogp).toBeCloseTo(Math.log(4e-4), 6);
  });

  it('is taken between its neighbors, five frames beyond its own at most', () => {
    const silent = [0.97, 0.01, 0.01, 0.01];
    const loudP = [0.01, 0.97, 0.01, 0.01];
    const rows = Array.from({ length: 30 }, () => silent);
    /** Returns the evidence for P at frame 10 when a clear P is at another frame. */
    const withPAt = (frame: number, ...neighbors: Frames[]) => {
      const changed = rows.with(frame, loudP);
      const words = [wordOf(...neighbors.filter(({ endFrame }) => endFrame <= 10), frames(10, 11))];
      const later = neighbors.filter(({ startFrame }) => startFrame > 10);
      if (later.length > 0) words.push(wordOf(...later));
      const evidenceOfWords = phoneEvidence(emissionsOf(changed), words, () => [1, 1]);
      return evidenceOfWords[0]!.at(-1)!.logp;
    };
    expect(withPAt(5)).toBeGreaterThan(-0.5);
    expect(withPAt(4)).toBeLessThan(-1);
    expect(withPAt(15)).toBeGreaterThan(-0.5);
    expect(withPAt(16)).toBeLessThan(-1);
    expect(withPAt(7, frames(6, 8))).toBeLessThan(-1);
    expect(withPAt(13, frames(13, 14))).toBeLessThan(-1);
  });

  it('of an omitted phone is taken between the phones around it', () => {
    const rows = [
      [0.01, 0.97, 0.01, 0.01],
      [0.01, 0.01, 0.97, 0.01],
      [0.01, 0.01, 0.01, 0.97],
    ];
    const [evidenceOfWord] = phoneEvidence(emissionsOf(rows), [wordOf(frames(0, 1), null, frames(2, 3))], () => [
      1, 2, 3,
    ]);
    expect(evidenceOfWord!.map(({ frames: phoneFrames }) => phoneFrames)).toEqual([frames(0, 1), null, frames(2, 3)]);
    expect(evidenceOfWord![1]!.logp).toBeGreaterThan(-0.1);
  });

  it('says little where the phones around an omission leave no frame', () => {
    const [evidenceOfWord] = phoneEvidence(
      emissionsOf(randomRows(2, 1)),
      [wordOf(frames(0, 1), null, frames(1, 2))],
      () => [1, 2, 3],
    );
    expect(evidenceOfWord![1]).toMatchObject({ column: 2, frames: null, logp: Math.log(1 / 4), noneLogp: 0, rival: 0 });
  });

  it('adds up the variants of native speakers', () => {
    const row = Array.from({ length: WIDTH }, () => 1e-5);
    row[columnOf('T')] = 0.3;
    row[columnOf('D')] = 0.6;
    row[0] = 1 - row.reduce((sum, value) => sum + value, 0);
    const evidenceOfPhone = evidenceFor(emissionsOf([row], LABELS), columnOf('T'));
    expect(evidenceOfPhone.rival).toBe(columnOf('D'));
    expect(evidenceOfPhone.variantLogp).toBeCloseTo(evidenceOfPhone.rivalLogp, 9);
    // The phone S has no variants.
    expect(Math.exp(evidenceFor(emissionsOf([row], LABELS), columnOf('S')).variantLogp)).toBeLessThan(1e-11);
  });
});

describe('variants of native speakers', () => {
  it.each([
    ['T', ['D']],
    ['AA', ['AO']],
    ['ER', ['AX', 'AH']],
    ['AX', ['IH', 'AH', 'UH', 'ER']],
    ['S', []],
  ])('of %s', (phone, variants) => {
    expect(nativeVariants(columnOf(phone)).map((column) => ARPABET_PHONES[column - 1])).toEqual(variants);
  });

  it('are none for the blank and for columns that do not exist', () => {
    expect([nativeVariants(0), nativeVariants(-1), nativeVariants(WIDTH)]).toEqual([[], [], []]);
  });
});

describe('emissions', () => {
  it('are probabilities between the floor and one, whatever the model gives', () => {
    const symbolLogp = Float32Array.from([0, -1, -50, Number.NaN, 3, -Infinity, -0.5, Infinity]);
    const { p, logp, frameCount } = readEmissions({ frameCount: 2, symbolLogp, toneLogp: new Float32Array(0) }, SMALL);
    expect(frameCount).toBe(2);
    for (const [at, value] of p.entries()) {
      expect(value).toBeGreaterThanOrEqual(4e-4);
      expect(value).toBeLessThanOrEqual(1);
      expect(logp[at]).toBeCloseTo(Math.log(value), 12);
    }
    expect(p[1]).toBeCloseTo(Math.exp(-1), 6);
  });

  it('know the likeliest phone of each frame, never the blank', () => {
    const rows = [
      [0.9, 0.02, 0.05, 0.03],
      [0.1, 0.1, 0.1, 0.7],
      [0.25, 0.25, 0.25, 0.25],
    ];
    expect([...emissionsOf(rows).bestPhone]).toEqual([2, 3, 1]);
  });
});

const word = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs });

describe('the recognized text', () => {
  it('has the accepted words, and what was freely recognized elsewhere, in order of time', () => {
    const accepted = [word('the', 0, 100), word('house', 500, 900)];
    const free = [word('a', 10, 90), word('red', 120, 300), word('mouse', 520, 880), word('now', 950, 1_200)];
    expect(recognizedText(accepted, free)).toBe('the red house now');
  });

  it('takes a free word to be where its middle is', () => {
    const accepted = [word('house', 500, 900)];
    expect(recognizedText(accepted, [word('big', 300, 698)])).toBe('big house');
    expect(recognizedText(accepted, [word('big', 300, 700)])).toBe('house');
    expect(recognizedText(accepted, [word('big', 800, 1_000)])).toBe('house big');
  });

  it('is all that was freely recognized where no word is accepted', () => {
    expect(recognizedText([], [word('b', 10, 20), word('a', 0, 10)])).toBe('a b');
    expect(recognizedText([], [])).toBe('');
  });
});
