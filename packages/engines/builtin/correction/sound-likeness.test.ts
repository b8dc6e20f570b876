import { describe, expect, it } from 'vitest';
import { JYUTPING_ONSETS, JYUTPING_RIMES } from '@jyutsing/text/syllables/jyutping';
import { soundDistance } from '@jyutsing/text/syllables/sound-distance';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { createLikelihoods, distanceOf, codesWithVariants, syllableCode, SYLLABLE_CODES } from './sound-likeness.ts';

const WEIGHTS = { distanceScale: 20, otherTone: -1.8 };
const SOME = [
  'hoeng1',
  'gong2',
  'jan4',
  'nei5',
  'lei5',
  'ngo5',
  'o5',
  'm4',
  'ng5',
  'gwok3',
  'gok3',
  'jyut6',
  'ceot1',
  'aa3',
];

describe('the code of a syllable', () => {
  it('is its own, within the range, for all that jyutping can write', () => {
    const codes = ['', ...JYUTPING_ONSETS].flatMap((onset) =>
      JYUTPING_RIMES.flatMap((rime) => [1, 6].map((tone) => syllableCode(`${onset}${rime}${tone}`))),
    );
    const validCodes = codes.filter((code) => code >= 0);
    expect(validCodes.length).toBeGreaterThan(1_000);
    expect(new Set(validCodes).size).toBe(validCodes.length);
    expect(Math.max(...validCodes)).toBeLessThan(SYLLABLE_CODES);
  });

  it.each(['', 'hoeng', 'hoeng7', 'xyz1', '香', 'hoeng1 gong2'])('of %j is none', (text) => {
    expect(syllableCode(text)).toBe(-1);
  });
});

it('distances by code are those of the syllables', () => {
  for (const a of SOME)
    for (const b of SOME) expect(distanceOf(syllableCode(a), syllableCode(b))).toBeCloseTo(soundDistance(a, b), 5);
});

it.each([
  ['nei5', 'lei5'],
  ['ngo5', 'o5'],
  ['gwok3', 'gok3'],
])('%s may be spoken as %s', (syllable, other) => {
  const codes = codesWithVariants(syllableCode(syllable));
  expect(codes[0]).toBe(syllableCode(syllable));
  expect(codes).toContain(syllableCode(other));
});

/** Computes the likelihood by its definition. */
const expected = (syllable: string) =>
  [
    ['hoeng1', 0.6],
    ['hoeng3', 0.1],
    ['gong2', 0.3],
  ].reduce((sum, [recognized, probability]) => {
    const isSameTone = String(recognized).at(-1) === syllable.at(-1);
    const base = `${String(recognized).slice(0, -1)}1`;
    return (
      sum + Number(probability) * Math.exp(-20 * soundDistance(base, syllable)) * (isSameTone ? 1 : Math.exp(-1.8))
    );
  }, 0);

describe('the likelihood of a syllable', () => {
  const likelihoodOf = createLikelihoods(WEIGHTS);
  const sounds = [
    { code: syllableCode('hoeng1'), probability: 0.6 },
    { code: syllableCode('hoeng3'), probability: 0.1 },
    { code: syllableCode('gong2'), probability: 0.3 },
  ];
  it.each(SOME)('%s is the sum over what was heard', (syllable) => {
    expect(likelihoodOf(sounds).of(syllableCode(syllable))).toBeCloseTo(expected(syllable), 5);
  });

  it('of nothing heard is zero', () => {
    expect(likelihoodOf([]).of(syllableCode('hoeng1'))).toBe(0);
  });

  it('a search among many misses none that is likely enough', () => {
    const random = randomFrom(4);
    const rimes = ['aa', 'oeng', 'ong', 'an', 'ing', 'eoi', 'ok', 'yut', 'iu', 'am'];
    const codes = ['h', 'g', 'gw', 'n', 'l', 'z', 's', ''].flatMap((onset) =>
      rimes.map((rime) => syllableCode(`${onset}${rime}${1 + Math.floor(random() * 6)}`)),
    );
    const ranked = { codes, nearTo: null as null | Map<number, readonly never[]> };
    const likelihood = likelihoodOf(sounds);
    for (const least of [0.5, 0.1, 0.01]) {
      const foundIndexes = new Set(likelihood.among({ ...ranked, nearTo: null }, least));
      const expectedIndexes = codes.flatMap((code, index) => (likelihood.of(code) > least ? [index] : []));
      expect(expectedIndexes.filter((index) => !foundIndexes.has(index))).toEqual([]);
      expect(foundIndexes.size).toBeLessThan(codes.length);
    }
  });
});
