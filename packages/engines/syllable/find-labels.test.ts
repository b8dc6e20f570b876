import { expect, test } from 'vitest';
import { findUnitLabels } from './find-labels.ts';
import { soundsOf } from './sounds-of.ts';

const find = (label: string, recorded: string, language: 'cantonese' | 'mandarin' = 'cantonese') =>
  findUnitLabels(label, soundsOf(language), (candidate) => recorded.split(' ').includes(candidate));

test('a recorded syllable is used as it is', () => {
  expect(find('nei5', 'nei5 lei5 aa5')).toEqual({ sound: 'nei5', tune: 'nei5' });
});

test('a missing tone is the sound of another tone with the contour of a syllable of its own', () => {
  expect(find('fe2', 'fe1 aa2')).toEqual({ sound: 'fe1', tune: 'aa2' });
  expect(find('det6', 'det1 aak6 aa6')).toEqual({ sound: 'det1', tune: 'aak6' });
  expect(find('nve3', 'nve4 ma3', 'mandarin')).toEqual({ sound: 'nve4', tune: 'ma3' });
});

test('a missing onset or rime gives way to the nearest', () => {
  expect(find('nin5', 'lin5')).toEqual({ sound: 'lin5', tune: 'lin5' });
  expect(find('hem1', 'him1')).toEqual({ sound: 'him1', tune: 'him1' });
  expect(find('nin5', 'saa1')).toBeNull();
  expect(find('zhei4', 'zei4', 'mandarin')).toEqual({ sound: 'zei4', tune: 'zei4' });
});
