import { expect, test } from 'vitest';
import { countConfusions, errorsByVoice } from './confusions.ts';

const details = [
  { file: 'a', speaker: 'maria', expected: 'ngo5 gong2 gwong2 dung1 waa2', recognized: 'ngo5 ong2 gwong2 dung6 waa2', failure: null },
  { file: 'b', speaker: 'kelvin', expected: 'hoeng1 gong2 jan4', recognized: 'hoeng1 ong2', failure: null },
]; // prettier-ignore

test('parts that were mistaken are counted by what they were mistaken for', () => {
  expect(countConfusions(details)).toEqual([
    { part: 'onset', spoken: 'g', recognized: '', count: 2 },
    { part: 'tone', spoken: '1', recognized: '6', count: 1 },
    { part: 'syllable', spoken: 'jan4', recognized: '', count: 1 },
  ]);
});

test('errors are shares of the syllables of each voice, with and without tone', () => {
  expect(errorsByVoice(details)).toEqual([
    { voice: 'maria', syllables: 5, wrong: 2 / 5, wrongWithoutTone: 1 / 5 },
    { voice: 'kelvin', syllables: 3, wrong: 2 / 3, wrongWithoutTone: 2 / 3 },
  ]);
});

test('many lost syllables end, and are all counted', () => {
  const expected = 'ngo5 gong2 gwong2 dung1 waa2 jan4';
  const lost = { file: 'c', speaker: 'a', expected, recognized: '', failure: null };
  expect(countConfusions([lost])).toHaveLength(6);
  expect(countConfusions([{ ...lost, expected: '', recognized: expected }])).toHaveLength(6);
});
