import { describe, expect, it } from 'vitest';
import { CANTONESE } from './cantonese.ts';
import { openLanguageModel } from './language-model.ts';
import { decodeModelFile } from './model-file.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import type { SyllableCandidate } from './syllable-candidates.ts';
import type { SyllableLanguage } from './syllable-language.ts';
import {
  buildLattice,
  certainLattice,
  syllableNumbers,
  withStandIns,
  type SyllableArc,
  type SyllableLattice,
  type SyllableNumbers,
} from './syllable-lattice.ts';
import type { Slot } from './syllable-slots.ts';
import { labelsFor } from './synthetic-posteriors.ts';

const unused = () => {
  throw new Error('not needed');
};
const language: SyllableLanguage = { reading: unused, unit: unused, parts: unused, meantBy: unused };

/** Rimes 0 to 4 are syllables of words, 1 and 2 only of longer words; 9 stands in for others. */
const numbers: SyllableNumbers = {
  numberOf: ({ rime }) => (rime < 5 ? rime : -1),
  isUsed: ({ rime }) => rime < 5,
  nearestTo: () => 9,
  standsAlone: (number) => number !== 1 && number !== 2,
  nearestAlone: (number) => number + 100,
  meantBy: [],
  language,
};

const candidate = (rime: number, p: number, tonep = 1): SyllableCandidate => {
  const [segmentalLogp, toneLogp] = [Math.log(p), Math.log(tonep)];
  const logp = segmentalLogp + toneLogp;
  return { onset: -1, rime, tone: 0, logp, segmentalLogp, toneLogp, startFrame: rime, endFrame: rime + 2 };
};
const slot = (from: number, to: number, candidates: SyllableCandidate[], silence = 1e-9): Slot => {
  return { from, to, candidates, silenceLogp: to === from + 1 ? Math.log(silence) : -Infinity };
};
const build = (slots: readonly Slot[], changes: Partial<SyllableNumbers> = {}, toneScale = 1): SyllableLattice =>
  buildLattice(Math.max(0, ...slots.map(({ to }) => to)) + 1, slots, { ...numbers, ...changes }, toneScale);
const syllablesOf = (arcs: readonly SyllableArc[] = []) => arcs.map(({ syllable }) => syllable);

describe('the syllables of a language model', () => {
  const model = openLanguageModel(
    decodeModelFile(
      smallModel([
        { text: '我', readings: ['ngo5'], count: 90 },
        { text: '你', readings: ['nei5'], count: 90 },
        { text: '香港', readings: ['hoeng1 gong2'], count: 50 },
        { text: '鴨', readings: ['aap3'], count: 5 },
      ]),
    ),
  );
  const labels = labelsFor('cantonese');
  const table = syllableNumbers(labels, model, CANTONESE);
  /** Makes the candidate of a syllable: onset −1 is the zero onset, tone 0 is tone 1. */
  const candidateOf = (onset: string, rime: string, tone: number) => {
    const place = { onset: labels.onsets.indexOf(onset), rime: labels.rimes.indexOf(rime), tone: tone - 1 };
    return { ...candidate(0, 0.5), ...place };
  };
  const named = (number: number) => model.syllables[number];

  it('have numbers, others have none', () => {
    expect(named(table.numberOf(candidateOf('h', 'oeng', 1)))).toBe('hoeng1');
    expect(named(table.numberOf(candidateOf('', 'aap', 3)))).toBe('aap3');
    expect(table.numberOf(candidateOf('h', 'oeng', 2))).toBe(-1);
    expect(table.numberOf(candidateOf('k', 'aap', 3))).toBe(-1);
    expect(model.syllables.filter((unit) => model.syllableNumber(unit) === 0)).toEqual(['aap3']);
  });

  it('are used in some tone, or in none', () => {
    expect(table.isUsed(candidateOf('h', 'oeng', 6))).toBe(true);
    expect(table.isUsed(candidateOf('', 'aap', 1))).toBe(true);
    expect(table.isUsed(candidateOf('k', 'aap', 3))).toBe(false);
  });

  it('stand for those that sound most alike', () => {
    expect(named(table.nearestTo(candidateOf('h', 'oeng', 2)))).toBe('hoeng1');
    expect(named(table.nearestTo(candidateOf('g', 'ong', 3)))).toBe('gong2');
    // In this model 香 and 港 are no words by themselves.
    const [hoeng, ngo] = ['hoeng1', 'ngo5'].map((unit) => model.syllableNumber(unit)!);
    expect([table.standsAlone(hoeng!), table.standsAlone(ngo!)]).toEqual([false, true]);
    expect(named(table.nearestAlone(ngo!))).toBe('ngo5');
    expect(['ngo5', 'nei5', 'aap3']).toContain(named(table.nearestAlone(hoeng!)));
  });

  it('may be meant by merged ones only where a word has them', () => {
    const meantUnits = table.meantBy.map((units, number) => [named(number), units.map((unit) => named(unit.number))]);
    // Neither lei5, o5 nor gwong2 is in a word.
    expect(Object.fromEntries(meantUnits)).toEqual({ ngo5: [], nei5: [], hoeng1: [], gong2: [], aap3: [] });
  });
});

describe('the lattice of an utterance', () => {
  it('has the candidates that words use, by their start, with their frames and shares', () => {
    const { arcsFrom } = build([
      slot(0, 1, [candidate(3, 0.6), candidate(7, 0.3), candidate(0, 0.1)]),
      slot(1, 2, [candidate(4, 0.5)], 0.5),
    ]);
    expect(arcsFrom.map(syllablesOf)).toEqual([[3, 0], [4, -1], []]);
    expect(arcsFrom[0]![0]).toMatchObject({ from: 0, to: 1, startFrame: 3, endFrame: 5 });
    expect(arcsFrom[0]!.map(({ posterior }) => posterior)).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.1, 6)]);
    expect(arcsFrom[1]!.map(({ posterior }) => posterior)).toEqual([expect.closeTo(0.5, 6), expect.closeTo(0.5, 6)]);
  });

  it('scales the evidence of tones', () => {
    const slots = [slot(0, 1, [candidate(3, 0.5, 0.2)])];
    const logpAt = (toneScale: number) => build(slots, {}, toneScale).arcsFrom[0]![0]!.logp;
    expect(logpAt(1)).toBeCloseTo(Math.log(0.1), 9);
    expect(logpAt(0.5)).toBeCloseTo(Math.log(0.5) + Math.log(0.2) / 2, 9);
    expect(logpAt(0)).toBeCloseTo(Math.log(0.5), 9);
  });

  it('has the nearest syllable of a word where no candidate is one, which was not recognized', () => {
    const { arcsFrom } = build([slot(0, 1, [candidate(7, 0.9), candidate(8, 0.1)])]);
    const [standIn] = arcsFrom[0]!;
    expect(standIn).toMatchObject({ syllable: 9, posterior: 0, startFrame: 7, endFrame: 9 });
    expect(standIn!.logp).toBeCloseTo(Math.log(0.9) - 4, 9);
  });

  it('raises the known ones where an unknown one is far better, which is not silence', () => {
    const { arcsFrom } = build([slot(0, 1, [candidate(7, 0.9), candidate(3, 1e-6), candidate(4, 1e-7)])]);
    expect(syllablesOf(arcsFrom[0])).toEqual([3, 4]);
    // The best usable one costs as much as a stand-in; the others keep their distance.
    expect(arcsFrom[0]![0]!.logp).toBeCloseTo(Math.log(0.9) - 4, 9);
    expect(arcsFrom[0]![1]!.logp).toBeCloseTo(Math.log(0.9) - 4 - Math.log(10), 9);
  });

  it('leaves out what is e^11 times less likely than the best known one', () => {
    const slots = [slot(0, 1, [candidate(3, 0.9), candidate(4, 0.9 * Math.exp(-10.9)), candidate(0, 0.9e-5)])];
    expect(syllablesOf(build(slots).arcsFrom[0])).toEqual([3, 4]);
  });

  it('has at most 28 syllables for one range', () => {
    const many = Array.from({ length: 60 }, (_, rime) => candidate(rime, 0.01));
    const { arcsFrom } = build([slot(0, 1, many)], { numberOf: ({ rime }) => rime });
    expect(syllablesOf(arcsFrom[0])).toEqual(Array.from({ length: 28 }, (_, index) => index));
  });

  it.each([
    ['likely', 0.1, [3, -1]],
    ['hardly possible', 0.01, [3]],
  ])('may be silence where that is %s', (_name, silence, expected) => {
    expect(syllablesOf(build([slot(0, 1, [candidate(3, 0.5)], silence)]).arcsFrom[0])).toEqual(expected);
  });

  it('is silence where there is no candidate, however unlikely', () => {
    expect(build([slot(0, 1, [], 1e-8)]).arcsFrom[0]).toEqual([
      expect.objectContaining({ syllable: -1, posterior: 1 }),
    ]);
  });

  it('is never silence over several rimes', () => {
    const { arcsFrom } = build([slot(0, 1, [candidate(3, 0.5)]), slot(0, 2, [candidate(4, 0.5)]), slot(1, 2, [])]);
    expect(arcsFrom[0]!.map(({ to, syllable }) => [to, syllable])).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });
});

describe('syllables that are merged in speech', () => {
  const meantBy = [[], [], [], [{ number: 4, logp: -1.5 }], [{ number: 3, logp: -0.5 }]];

  it('are added with their cost, unless there with a better score', () => {
    const { arcsFrom } = build([slot(0, 1, [candidate(3, 0.5)])], { meantBy });
    expect(arcsFrom[0]!.map(({ syllable, logp }) => [syllable, logp])).toEqual([
      [3, expect.closeTo(Math.log(0.5), 9)],
      [4, expect.closeTo(Math.log(0.5) - 1.5, 9)],
    ]);
    const lattice = build([slot(0, 1, [candidate(3, 0.5), candidate(4, 0.4)])], { meantBy });
    expect(syllablesOf(lattice.arcsFrom[0])).toEqual([3, 4]);
    const better = build([slot(0, 1, [candidate(3, 0.5), candidate(4, 0.05)])], { meantBy });
    expect(syllablesOf(better.arcsFrom[0])).toEqual([3, 4, 4]);
  });

  it('that a following tone causes cost what that tone is unlikely', () => {
    const beforeTone = [[], [], [], [{ number: 4, logp: -1, beforeTones: [2] }]];
    const second = [candidate(0, 0.75), { ...candidate(0, 0.25), tone: 1 }];
    const { arcsFrom } = build([slot(0, 1, [candidate(3, 0.5)]), slot(1, 2, second)], { meantBy: beforeTone });
    const changed = arcsFrom[0]!.find(({ syllable }) => syllable === 4)!;
    expect(changed.logp).toBeCloseTo(Math.log(0.5) - 1 + Math.log(0.25), 5);
  });
});

const arc = (to: number, syllable: number, logp: number): SyllableArc => {
  return { from: 0, to, syllable, logp, posterior: 0.5, startFrame: 0, endFrame: 1 };
};
const added = (...arcs: SyllableArc[]) => withStandIns({ arcsFrom: [arcs] }, numbers).arcsFrom[0]!.slice(arcs.length);

describe('stand-ins for a search without a path', () => {
  it('are the nearest word of the best syllable, which forms none by itself', () => {
    expect(added(arc(1, 1, -3), arc(1, 2, -1))).toEqual([{ ...arc(1, 102, -5), posterior: 0 }]);
  });

  it('are added for each range alone', () => {
    expect(added(arc(1, 3, -1), arc(2, 1, -2)).map(({ to, syllable }) => [to, syllable])).toEqual([[2, 101]]);
  });

  it.each([
    ['a syllable is a word', [arc(1, 1, -1), arc(1, 3, -9)]],
    ['silence is possible', [arc(1, 1, -1), arc(1, -1, -9)]],
    ['there is nothing', []],
  ])('are not needed where %s', (_name, arcs) => {
    expect(added(...arcs)).toEqual([]);
  });
});

it('a lattice of known syllables has one path, a frame for each', () => {
  const { arcsFrom } = certainLattice([5, 6]);
  expect(arcsFrom.map(syllablesOf)).toEqual([[5], [6], []]);
  for (const [index, [arc]] of arcsFrom.slice(0, 2).entries()) {
    const place = { from: index, to: index + 1, startFrame: index, endFrame: index + 1 };
    expect(arc).toMatchObject({ ...place, logp: 0, posterior: 1 });
  }
  expect(certainLattice([]).arcsFrom).toEqual([[]]);
});
