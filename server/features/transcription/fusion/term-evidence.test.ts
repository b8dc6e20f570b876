import { describe, expect, it } from 'vitest';
import { findEvidence } from './term-evidence.ts';
import { syllablesOf } from '#test/fusion-segments.ts';

/**
 * The distance of a term to the recognized syllables; `(x)` marks a syllable without a character.
 */
const distance = (term: string, recognized: string, mayMiss = false) => {
  const isFree = recognized.split(' ').map((syllable) => syllable.startsWith('('));
  const syllables = syllablesOf(recognized.replaceAll(/[()]/g, ''));
  const candidates = syllables.map((syllable, index) => ({ syllable, isFree: isFree[index] === true }));
  const evidence = findEvidence(term.split(' '), candidates, mayMiss);
  return evidence === null ? null : Number(evidence.distance.toFixed(3));
};

describe('a term of two syllables', () => {
  it.each([
    ['equal', 'saa1 tin4', 0],
    ['in another tone', 'saa3 tin2', 0],
    ['as a Hong Kong variant', 'saa1 tin4|lin4', 0],
    ['with -ng for -n', 'saa1 ting4', 0.04],
    ['with an onset of the same place of articulation', 'saa1 din4', 0.09],
    ['with another onset', 'saa1 min4', 0.225],
    ['with a similar rime', 'saa1 tim4', 0.04],
    ['with another rime', 'saa1 tou4', null],
    ['with two similar onsets', 'zaa1 din4', null],
    ['with another syllable', 'saa1 gwok3', null],
    ['with one syllable missing', 'saa1', null],
    ['with an extra character', 'saa1 aa3 tin4', null],
  ])('%s', (_name, recognized, expected) => {
    expect(distance('saa1 tin4', recognized)).toBe(expected);
  });
});

describe('a longer term', () => {
  it.each([
    ['one of three with another rime', 'gau2 lung4 taai3', 0.183],
    ['one of three different', 'gau2 lung4 sik6', null],
    ['one of three with another onset, one slightly different', 'gau2 kung4 hong4', null],
    ['an extra character', 'gau2 aa3 lung4 tong4', 0.2],
    ['two extra characters', 'gau2 aa3 aa3 lung4 tong4', null],
    ['a syllable without a character inside', 'gau2 (aa3) lung4 tong4', 0.1],
    ['syllables without characters before and after', '(aa3) (hai6) gau2 lung4 tong4 (aa3)', 0],
    ['a missing syllable', 'gau2 lung4', null],
  ])('%s', (_name, recognized, expected) => {
    expect(distance('gau2 lung4 tong4', recognized)).toBe(expected);
  });

  it('may lack a syllable for which a character was recognized', () => {
    expect(distance('gau2 lung4 tong4', 'gau2 lung4', true)).toBe(0.2);
    expect(distance('saa1 tin4', 'saa1', true)).toBe(null);
  });
});

describe('likelihood', () => {
  it('exact matches count from a probability of one percent on, similar syllables only if likely', () => {
    expect(distance('saa1 tin4', 'saa1 wok6|tin4')).toBe(0);
    expect(distance('saa1 tin4', 'saa1 wok6|~tin4')).toBe(null);
    const rare = { reading: 'min4', probability: 0.05 };
    const recognized = syllablesOf('saa1 wok6');
    recognized[1]?.alternatives.push(rare);
    const candidates = recognized.map((syllable) => ({ syllable, isFree: false }));
    expect(findEvidence(['saa1', 'tin4'], candidates, false)).toBe(null);
    rare.probability = 0.15;
    expect(findEvidence(['saa1', 'tin4'], candidates, false)).not.toBe(null);
  });

  it('a single syllable must match exactly, and no syllables are no evidence', () => {
    expect(distance('gei3', 'gei1')).toBe(0);
    expect(distance('gei3', 'kei3')).toBe(null);
    expect(findEvidence(['saa1', 'tin4'], [], true)).toBe(null);
  });
});
