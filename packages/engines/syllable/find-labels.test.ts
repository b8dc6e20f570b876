import { expect, test } from 'vitest';
import { createLabelFinder } from './find-labels.ts';
import { soundsOf } from './sounds-of.ts';

const find = (label: string, recorded: string, language: 'cantonese' | 'mandarin' = 'cantonese') =>
  createLabelFinder(recorded.split(' '), soundsOf(language))(label);

test('a recorded syllable is used as it is', () => {
  expect(find('nei5', 'nei5 lei5 aa5')).toEqual({ sound: 'nei5', tune: 'nei5' });
});

test('a missing tone is the sound of another tone with the contour of a syllable of its own', () => {
  expect(find('fe2', 'fe1 aa2')).toEqual({ sound: 'fe1', tune: 'aa2' });
  expect(find('det6', 'det1 aak6 aa6')).toEqual({ sound: 'det1', tune: 'aak6' });
  expect(find('nve3', 'nve4 ma3', 'mandarin')).toEqual({ sound: 'nve4', tune: 'ma3' });
});

test('an onset or rime that people take for the same gives way to the other', () => {
  expect(find('nin5', 'lin5')).toEqual({ sound: 'lin5', tune: 'lin5' });
  expect(find('i1', 'ji1')).toEqual({ sound: 'ji1', tune: 'ji1' });
  expect(find('zhei4', 'zei4', 'mandarin')).toEqual({ sound: 'zei4', tune: 'zei4' });
});

test('a missing syllable is made of its onset, from one with a like vowel, and its rime', () => {
  expect(find('wi1', 'waa1 wing1 fi1 aa1')).toEqual({
    sound: { onsets: ['wing1'], rime: 'fi1', coda: null },
    tune: 'fi1',
  });
  expect(find('pli1', 'pik1 lei1 si3 aa1')).toEqual({
    sound: { onsets: ['pik1', 'lei1'], rime: 'si3', coda: null },
    tune: 'aa1',
  });
});

test('a missing rime is made of its vowel, before a consonant of the same kind, and its coda', () => {
  expect(find('set1', 'sek1 seng1 se1 it1 aan1')).toEqual({
    sound: { onsets: ['sek1'], rime: 'sek1', coda: 'it1' },
    tune: 'sek1',
  });
  expect(find('laaik1', 'laai1 ik1 aak1').sound).toEqual({ onsets: ['laai1'], rime: 'laai1', coda: 'ik1' });
});

test('a sound that was never recorded is an error', () => {
  expect(() => find('nin5', 'saa1')).toThrow('no sound for the syllable "nin5"');
});
