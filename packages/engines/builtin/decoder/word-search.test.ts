import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { BOUNDARY_WORD, openLanguageModel } from './language-model.ts';
import { decodeModelFile } from './model-file.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import { certainLattice, type SyllableArc, type SyllableLattice } from './syllable-lattice.ts';
import { DECODER_WEIGHTS, type DecoderWeights } from './weights.ts';
import { findWords, searchWords, type FoundWord } from './word-search.ts';

const model = openLanguageModel(
  decodeModelFile(
    smallModel(
      [
        { text: '我', readings: ['ngo5'], count: 90 },
        { text: '鵝', readings: ['ngo4'], count: 4 },
        { text: '香', readings: ['hoeng1'], count: 6 },
        { text: '港', readings: ['gong2'], count: 3 },
        { text: '講', readings: ['gong2'], count: 60 },
        { text: '香港', readings: ['hoeng1 gong2'], count: 50 },
        { text: '人', readings: ['jan4'], count: 70 },
        { text: '香港人', readings: ['hoeng1 gong2 jan4'], count: 8 },
        { text: '鄉', readings: ['hoeng1'], count: 7 },
      ],
      [
        ['我', '講'],
        ['香港', '人'],
        ['鄉', '港'],
      ],
    ),
  ),
);
/** The beam is so wide that nothing is pruned. */
const EXHAUSTIVE: DecoderWeights = {
  ...DECODER_WEIGHTS,
  beamWidth: 100_000,
  beamMargin: 1e6,
  candidateMargin: 1e6,
  homophoneLimit: 100,
};
const UNITS = ['ngo5', 'ngo4', 'hoeng1', 'gong2', 'jan4'].map((unit) => model.syllableNumber(unit)!);
const textOf = (words: readonly FoundWord[]) => words.map(({ word }) => model.text(word)).join('');

/** Makes a lattice with one, two or three syllables in each place. */
function randomLattice(length: number, random: () => number): SyllableLattice {
  const arcsFrom: SyllableArc[][] = Array.from({ length }, (_, from) => {
    const syllables = new Set(Array.from({ length: 3 }, () => UNITS[Math.floor(random() * UNITS.length)]!));
    return [...syllables].map((syllable) => ({
      from,
      to: from + 1,
      syllable,
      logp: -5 * random(),
      posterior: 0.3,
      startFrame: from,
      endFrame: from + 1,
    }));
  });
  arcsFrom.push([]);
  return { arcsFrom };
}

type Step = { pronunciation: number; arcs: readonly SyllableArc[] };

function scoreOf(steps: readonly Step[], weights: DecoderWeights): number {
  let score = 0;
  let before = [BOUNDARY_WORD, BOUNDARY_WORD];
  for (const { pronunciation, arcs } of steps) {
    const word = model.trie.word(pronunciation);
    score += arcs.reduce((sum, { logp }) => sum + logp, 0) * weights.acousticScale;
    score += arcs.length * weights.syllableBonus + weights.wordBonus;
    score += model.logp(model.context(before[0]!, before[1]!), word) * weights.languageModelScale;
    score += model.readingLogp(pronunciation) * weights.readingScale;
    before = [before[1]!, word];
  }
  return score + model.logp(model.context(before[0]!, before[1]!), BOUNDARY_WORD) * weights.languageModelScale;
}

/** Yields every sentence that the lattice allows. */
function* sentences({ arcsFrom }: SyllableLattice, node = 0, steps: readonly Step[] = []): Generator<readonly Step[]> {
  if (node === arcsFrom.length - 1) {
    yield steps;
    return;
  }
  const words: [number, number, SyllableArc[]][] = [[node, 0, []]];
  for (let next = words.pop(); next !== undefined; next = words.pop()) {
    const [at, trieNode, arcs] = next;
    for (const arc of arcsFrom[at] ?? []) {
      const child = model.trie.child(trieNode, arc.syllable);
      if (child < 0) continue;
      const path = [...arcs, arc];
      for (let entry = model.trie.firstPronunciation(child); entry < model.trie.endPronunciation(child); entry += 1)
        yield* sentences({ arcsFrom }, arc.to, [...steps, { pronunciation: entry, arcs: path }]);
      words.push([arc.to, child, path]);
    }
  }
}

function stepsOf(words: readonly FoundWord[]): Step[] {
  return words.map(({ word, arcs }) => {
    const node = arcs.reduce((at, { syllable }) => model.trie.child(at, syllable), 0);
    let pronunciation = model.trie.firstPronunciation(node);
    while (model.trie.word(pronunciation) !== word) pronunciation += 1;
    return { pronunciation, arcs };
  });
}

describe('the best sentence through a lattice', () => {
  it('is the best of all sentences', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const lattice = randomLattice(4, randomFrom(seed));
      let best = -Infinity;
      for (const steps of sentences(lattice)) best = Math.max(best, scoreOf(steps, EXHAUSTIVE));
      expect(scoreOf(stepsOf(searchWords(lattice, model, EXHAUSTIVE)), EXHAUSTIVE)).toBeCloseTo(best, 6);
    }
  });

  it('covers every place once and in order', () => {
    const words = searchWords(randomLattice(12, randomFrom(3)), model, DECODER_WEIGHTS);
    expect(words.flatMap(({ arcs }) => arcs.map(({ from }) => from))).toEqual(
      Array.from({ length: 12 }, (_, at) => at),
    );
  });

  it.each([
    ['ngo5 gong2', '我講'],
    ['hoeng1 gong2', '香港'],
    ['hoeng1 gong2 jan4', '香港人'],
    ['ngo5 hoeng1 gong2 jan4', '我香港人'],
    ['jan4 gong2', '人講'],
  ])('%s is %s', (reading, text) => {
    const numbers = reading.split(' ').map((unit) => model.syllableNumber(unit)!);
    expect(textOf(searchWords(certainLattice(numbers), model, DECODER_WEIGHTS))).toBe(text);
  });

  it('may step over silence, also within a word', () => {
    const { arcsFrom } = certainLattice([UNITS[2]!, UNITS[3]!]);
    const silence = { from: 1, to: 2, syllable: -1, logp: -0.1, posterior: 0.9, startFrame: 1, endFrame: 2 };
    const [first, second] = [arcsFrom[0]!, arcsFrom[1]!.map((arc) => ({ ...arc, from: 2, to: 3 }))];
    const words = searchWords({ arcsFrom: [first, [silence], second, []] }, model, DECODER_WEIGHTS);
    expect(textOf(words)).toBe('香港');
  });

  it('names the rivals of each word, itself included', () => {
    const words = searchWords(randomLattice(5, randomFrom(8)), model, EXHAUSTIVE);
    for (const { word, arcs, rivals } of words) {
      const rival = rivals.find(
        (rival) => rival.arcs.length === arcs.length && rival.arcs.every((arc, i) => arc === arcs[i]),
      );
      expect(rival).toBeDefined();
      expect(new Set(rivals.map(({ to }) => to))).toEqual(new Set([arcs.at(-1)!.to]));
      expect(model.text(word)).toHaveLength(arcs.length);
    }
  });

  it('of no places is empty, and of a place that no word fits is none', () => {
    expect(findWords({ arcsFrom: [[]] }, model, DECODER_WEIGHTS)).toEqual([]);
    const { arcsFrom } = certainLattice([UNITS[0]!, UNITS[3]!]);
    expect(findWords({ arcsFrom: [arcsFrom[0]!, [], []] }, model, DECODER_WEIGHTS)).toBeNull();
  });

  it('of scores that are no numbers is none instead of an endless search', () => {
    const { arcsFrom } = certainLattice([UNITS[0]!]);
    const damaged = { arcsFrom: arcsFrom.map((arcs) => arcs.map((arc) => ({ ...arc, logp: NaN }))) };
    expect(searchWords(damaged, model, DECODER_WEIGHTS)).toEqual([]);
  });
});
