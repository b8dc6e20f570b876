import { describe, expect, test } from 'vitest';
import { CANTONESE } from './cantonese.ts';
import { MANDARIN } from './mandarin.ts';
import { createNearestSyllable } from './nearest-syllable.ts';
import type { SyllableLanguage } from './syllable-language.ts';

function nearestOf(target: string, candidates: string, language: SyllableLanguage = CANTONESE): string | undefined {
  const syllables = candidates.split(' ');
  return syllables[createNearestSyllable(syllables, language)(target)];
}

describe('the nearest syllable', () => {
  test.each([
    ['hoeng1', 'gong2 hoeng1 jan4', 'hoeng1', 'the syllable itself'],
    ['hoeng1', 'hoeng2 goeng1', 'hoeng2', 'a tone differs less than an onset'],
    ['hoeng1', 'hong1 goeng1', 'goeng1', 'an onset differs less than a vowel'],
    ['hoeng1', 'hoe1 goeng1', 'hoe1', 'a coda differs less than an onset'],
    ['saan1', 'saat1 saam1', 'saat1', 'a stop of the same place is nearer than another nasal'],
    ['saam1', 'saap1 saan1', 'saap1', 'lips: p and m'],
    ['saang1', 'saak1 saan1', 'saak1', 'velum: k and ng'],
    ['saang1', 'saak2 saan1', 'saan1', 'but not in another tone as well'],
    ['m4', 'ng4 m5', 'm5', 'syllabic nasals'],
  ])('of %s among %s is %s: %s', (target, candidates, nearest) => {
    expect(nearestOf(target, candidates)).toBe(nearest);
  });

  test.each([
    ['zhong1', 'zong1 zhong4', 'zhong4'],
    ['shi4', 'si4 shi2', 'shi2'],
    ['lv4', 'lu4 nv4', 'nv4'],
    ['yuan2', 'yan2 yuan4', 'yuan4'],
  ])('of %s among %s is %s in Mandarin', (target, candidates, nearest) => {
    expect(nearestOf(target, candidates, MANDARIN)).toBe(nearest);
  });

  test('is the first of equally near ones', () => {
    expect(nearestOf('hoeng1', 'hoeng2 hoeng3')).toBe('hoeng2');
  });

  test.each(['', 'xyz', 'hoeng', 'hoeng7', '香', 'constructor'])('of %j does not exist', (target) => {
    expect(nearestOf(target, 'hoeng1 gong2')).toBeUndefined();
  });

  test('does not exist without syllables', () => {
    expect(createNearestSyllable([], CANTONESE)('hoeng1')).toBe(-1);
    expect(createNearestSyllable(['x', 'y'], CANTONESE)('hoeng1')).toBe(-1);
  });

  test('is one that is allowed', () => {
    const nearest = createNearestSyllable(['hoeng1', 'gong2'], CANTONESE, (number) => number === 1);
    expect(nearest('hoeng1')).toBe(1);
    expect(nearest('hoeng1')).toBe(1);
  });
});
