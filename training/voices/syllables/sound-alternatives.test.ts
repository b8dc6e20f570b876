import { expect, test } from 'vitest';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { createAlternatives } from './sound-alternatives.ts';

const RECORDED = 'naa3 naa6 naam3 caa3 laa3 jik6 sek1 seng1 se1 it1 aan1'.split(' ');
const alternatives = createAlternatives(RECORDED, soundsOf('cantonese'));

test('a syllable can have the sounds of its other tones and of parts', () => {
  expect(alternatives('naa3', 'naa3')).toEqual([
    'naa6',
    { onsets: ['naa3'], rime: 'naa3', coda: null },
    { onsets: ['naa3'], rime: 'naa6', coda: null },
    { onsets: ['naam3'], rime: 'naa3', coda: null },
    { onsets: ['naa3'], rime: 'caa3', coda: null },
    { onsets: ['naam3'], rime: 'naa6', coda: null },
    { onsets: ['naa6'], rime: 'naa3', coda: null },
    { onsets: ['naa3'], rime: 'laa3', coda: null },
  ]);
});

test('no sound of another onset or rime is among them, but j in front of i', () => {
  expect(alternatives('ik3', 'jik3')[0]).toBe('jik6');
  expect(alternatives('set1', 'set1')).toContainEqual({ onsets: ['se1'], rime: 'sek1', coda: 'it1' });
  expect(alternatives('mo1', 'mo1')).toEqual([]);
});
