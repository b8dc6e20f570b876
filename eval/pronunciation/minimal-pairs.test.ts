import { expect, it } from 'vitest';
import { canonicalSyllable, minimalPairs } from './minimal-pairs.ts';

it('pairs differ in exactly one of tone, onset and rime', () => {
  const existing = ['si1', 'si2', 'si6', 'ci1', 'zi1', 'saa1', 'sin1', 'ci2', 'saa2', 'haa3'];
  expect(minimalPairs('cantonese', 'si1', existing)).toEqual([
    { syllable: 'si2', kind: 'tone', isVariant: false },
    { syllable: 'si6', kind: 'tone', isVariant: false },
    { syllable: 'ci1', kind: 'onset', isVariant: false },
    { syllable: 'zi1', kind: 'onset', isVariant: false },
    { syllable: 'saa1', kind: 'rime', isVariant: false },
    { syllable: 'sin1', kind: 'rime', isVariant: false },
  ]);
});

function variantsOf(spoken: string, existing: string[]): string[] {
  return minimalPairs('cantonese', spoken, existing)
    .filter(({ isVariant }) => isVariant)
    .map(({ syllable }) => syllable);
}

it('accepted pronunciation variants are marked', () => {
  expect(variantsOf('nei5', ['lei5', 'mei5', 'nei4'])).toEqual(['lei5']);
  expect(variantsOf('oi3', ['ngoi3', 'hoi3'])).toEqual(['ngoi3']);
  expect(variantsOf('gwok3', ['gok3', 'kwok3'])).toEqual(['gok3']);
  expect(variantsOf('ng5', ['m5', 'aa5', 'ng6'])).toEqual(['m5']);
});

it('pinyin is compared by sound: zi and zhi differ in the onset alone, yi and ji too, zhi and ji do not pair', () => {
  const existing = ['zhi4', 'ci4', 'ji4', 'za4', 'zi3'];
  expect(minimalPairs('mandarin', 'zi4', existing).map(({ syllable, kind }) => `${kind} ${syllable}`)).toEqual([
    'onset zhi4',
    'onset ci4',
    'rime za4',
    'tone zi3',
  ]);
  expect(minimalPairs('mandarin', 'yi1', ['ji1', 'zhi1', 'ya1']).map(({ syllable }) => syllable)).toEqual([
    'ji1',
    'ya1',
  ]);
});

it('invalid labels and the neutral tone give no test syllable', () => {
  for (const label of ['_hm1', 'ma5', 'ma', '', 'x y']) expect(canonicalSyllable('mandarin', label)).toBeNull();
  expect(canonicalSyllable('mandarin', 'jv4')).toBe('ju4');
  expect(canonicalSyllable('cantonese', 'gwong2')).toBe('gwong2');
  expect(canonicalSyllable('cantonese', 'gwong7')).toBeNull();
});
