import { describe, expect, it } from 'vitest';
import { characterConfidence, collectEvidence } from './confidence.ts';
import { openLanguageModel } from './language-model.ts';
import { decodeModelFile } from './model-file.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import { certainLattice, type SyllableLattice } from './syllable-lattice.ts';
import { DECODER_WEIGHTS } from './weights.ts';
import { searchWords } from './word-search.ts';

const model = openLanguageModel(
  decodeModelFile(
    smallModel(
      [
        { text: '我', readings: ['ngo5'], count: 90 },
        { text: '香', readings: ['hoeng1'], count: 40 },
        { text: '鄉', readings: ['hoeng1'], count: 40 },
        { text: '港', readings: ['gong2'], count: 10 },
        { text: '講', readings: ['gong2'], count: 10 },
        { text: '香港', readings: ['hoeng1 gong2'], count: 30 },
        { text: '香講', readings: ['hoeng1 gong2'], count: 30 },
        { text: '芒果', readings: ['mong1 gwo2'], count: 30 },
      ],
      [['我', '香港']],
    ),
  ),
);
const numbersOf = (units: string) => units.split(' ').map((unit) => model.syllableNumber(unit)!);
const evidenceOf = (lattice: SyllableLattice) => {
  const words = searchWords(lattice, model, DECODER_WEIGHTS);
  return {
    text: words.map(({ word }) => model.text(word)).join(''),
    evidence: collectEvidence(words, model, DECODER_WEIGHTS),
  };
};

describe('the confidence of a character', () => {
  // The expected value is 1 / (1 + e^-0.8): a word as likely as all others together, with a
  // syllable that is certain.
  it('is that of the fitted curve', () => {
    expect(characterConfidence({ wordShare: 0.5, syllablePosterior: 1 })).toBeCloseTo(1 / (1 + Math.exp(-0.8)), 9);
    const logOdds = 0.8 + 0.42 * Math.log(9) + 0.55 * Math.log(0.5);
    expect(characterConfidence({ wordShare: 0.9, syllablePosterior: 0.5 })).toBeCloseTo(
      1 / (1 + Math.exp(-logOdds)),
      9,
    );
  });

  it('grows with either kind of evidence', () => {
    const steps = Array.from({ length: 50 }, (_, step) => step / 49);
    const byWord = steps.map((wordShare) => characterConfidence({ wordShare, syllablePosterior: 0.7 }));
    const bySyllable = steps.map((syllablePosterior) => characterConfidence({ wordShare: 0.7, syllablePosterior }));
    for (const row of [byWord, bySyllable]) {
      expect(row).toEqual(row.toSorted((a, b) => a - b));
      expect(row.at(-1)! - row[0]!).toBeGreaterThan(0.3);
    }
  });

  it.each([
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [-1, -1],
    [2, 2],
  ])('is a probability for any evidence: %d, %d', (wordShare, syllablePosterior) => {
    const confidence = characterConfidence({ wordShare, syllablePosterior });
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThan(1);
  });
});

describe('the evidence for a character', () => {
  it('is one for each character of the sentence', () => {
    const { text, evidence } = evidenceOf(certainLattice(numbersOf('ngo5 hoeng1 gong2')));
    expect(text).toBe('我香港');
    expect(evidence).toHaveLength(3);
    for (const { syllablePosterior } of evidence) expect(syllablePosterior).toBe(1);
  });

  it('is the share of all words of its sound that have it there', () => {
    // 香港 and 香講 are equally frequent: they agree on the first character only.
    const { text, evidence } = evidenceOf(certainLattice(numbersOf('hoeng1 gong2')));
    expect(text).toMatch(/^香[港講]$/);
    const [first, second] = evidence.map(({ wordShare }) => wordShare);
    expect(first).toBeCloseTo(1, 6);
    expect(second).toBeCloseTo(0.5, 6);
  });

  it('includes the words around it', () => {
    // Only 香港 is usual after 我.
    const { evidence } = evidenceOf(certainLattice(numbersOf('ngo5 hoeng1 gong2')));
    expect(evidence[2]!.wordShare).toBeGreaterThan(0.9);
  });

  it('is a whole share for a word that nothing else sounds like', () => {
    const { evidence } = evidenceOf(certainLattice(numbersOf('mong1 gwo2')));
    expect(evidence.map(({ wordShare }) => wordShare)).toEqual([1, 1]);
  });

  it('has the probability of each syllable', () => {
    const lattice = certainLattice(numbersOf('mong1 gwo2'));
    lattice.arcsFrom[1]![0]!.posterior = 0.25;
    expect(evidenceOf(lattice).evidence.map(({ syllablePosterior }) => syllablePosterior)).toEqual([1, 0.25]);
  });
});
