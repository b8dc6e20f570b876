import { describe, expect, it } from 'vitest';
import { findEvidence } from './term-evidence.ts';
import { syllablesOf } from '#test/fusion-segments.ts';

/** The distance of a term to what was heard, null when it is too far; `(x)` marks syllables that belonged to no character. */
const distance = (term: string, heard: string, mayMiss = false) => {
  const isFree = heard.split(' ').map((syllable) => syllable.startsWith('('));
  const syllables = syllablesOf(heard.replaceAll(/[()]/g, ''));
  const candidates = syllables.map((syllable, index) => ({ syllable, isFree: isFree[index] === true }));
  const evidence = findEvidence(term.split(' '), candidates, mayMiss);
  return evidence === null ? null : Number(evidence.distance.toFixed(3));
};

describe('a term of two syllables', () => {
  it.each([
    ['as heard', 'saa1 tin4', 0],
    ['in another tone', 'saa3 tin2', 0],
    ['in Hong Kong’s way', 'saa1 tin4|lin4', 0],
    ['with -ng for -n', 'saa1 ting4', 0.04],
    ['with an onset of the same place', 'saa1 din4', 0.09],
    ['with another onset', 'saa1 min4', 0.225],
    ['with a rime that is near', 'saa1 tim4', 0.04],
    ['with another rime', 'saa1 tou4', null],
    ['with both onsets near, none of them right', 'zaa1 din4', null],
    ['with another syllable', 'saa1 gwok3', null],
    ['with one syllable alone', 'saa1', null],
    ['with a character too many', 'saa1 aa3 tin4', null],
  ])('%s', (_name, heard, expected) => {
    expect(distance('saa1 tin4', heard)).toBe(expected);
  });
});

describe('a longer term', () => {
  it.each([
    ['one of three another but for its onset', 'gau2 lung4 taai3', 0.183],
    ['one of three another', 'gau2 lung4 sik6', null],
    ['one of three beginning differently, another not quite the same', 'gau2 kung4 hong4', null],
    ['a character too many', 'gau2 aa3 lung4 tong4', 0.2],
    ['two characters too many', 'gau2 aa3 aa3 lung4 tong4', null],
    ['a syllable that nobody wrote, inside', 'gau2 (aa3) lung4 tong4', 0.1],
    ['syllables that nobody wrote, before and after', '(aa3) (hai6) gau2 lung4 tong4 (aa3)', 0],
    ['a syllable too few', 'gau2 lung4', null],
  ])('%s', (_name, heard, expected) => {
    expect(distance('gau2 lung4 tong4', heard)).toBe(expected);
  });

  it('may miss a syllable where a character was recognized for it', () => {
    expect(distance('gau2 lung4 tong4', 'gau2 lung4', true)).toBe(0.2);
    expect(distance('saa1 tin4', 'saa1', true)).toBe(null);
  });
});

describe('likelihood', () => {
  it('full agreement counts from one percent on, likeness only with what is likely', () => {
    expect(distance('saa1 tin4', 'saa1 wok6|tin4')).toBe(0);
    expect(distance('saa1 tin4', 'saa1 wok6|~tin4')).toBe(null);
    const rare = { reading: 'min4', probability: 0.05 };
    const heard = syllablesOf('saa1 wok6');
    heard[1]?.alternatives.push(rare);
    const candidates = heard.map((syllable) => ({ syllable, isFree: false }));
    expect(findEvidence(['saa1', 'tin4'], candidates, false)).toBe(null);
    rare.probability = 0.15;
    expect(findEvidence(['saa1', 'tin4'], candidates, false)).not.toBe(null);
  });

  it('a single syllable must agree fully, and nothing heard is no evidence', () => {
    expect(distance('gei3', 'gei1')).toBe(0);
    expect(distance('gei3', 'kei3')).toBe(null);
    expect(findEvidence(['saa1', 'tin4'], [], true)).toBe(null);
  });
});
