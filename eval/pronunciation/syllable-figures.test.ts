import { expect, it } from 'vitest';
import { syllableFigures } from './syllable-figures.ts';
import type { SyllableSet, SyllableTrials } from './syllable-trials.ts';

const SET: SyllableSet = { name: 'a set', language: 'cantonese', recordings: [], left: 2, caveat: null };

function pair(syllable: string, kind: 'tone' | 'onset' | 'rime', score: number, isVariant = false) {
  return { syllable, kind, score, isVariant };
}

const TRIALS: SyllableTrials[] = [
  { spoken: 'nei5', own: 95, refused: null, pairs: [pair('nei4', 'tone', 20), pair('lei5', 'onset', 92, true)] },
  { spoken: 'si1', own: 91, refused: null, pairs: [pair('si3', 'tone', 93), pair('si2', 'tone', 10)] },
  { spoken: 'si3', own: 80, refused: null, pairs: [pair('si1', 'tone', 30), pair('ci3', 'onset', 50)] },
  { spoken: 'saa1', own: 0, refused: 'no_speech', pairs: [] },
];

it('rejections and acceptances at the pass mark are counted by kind, accepted variants separately', () => {
  const { atMark, recordings, refused, left } = syllableFigures(SET, TRIALS, 90);
  expect({ recordings, refused, left }).toEqual({ recordings: 4, refused: 1, left: 2 });
  const counted = atMark.map(({ of, compared, meanScore, rate }) => [of, compared, meanScore, rate.rate]);
  expect(counted).toEqual([
    ['own', 4, 66.5, 0.5],
    ['all', 5, 40.6, 0.2],
    ['tone', 4, 38.25, 0.25],
    ['onset', 1, 50, 0],
    ['variants', 1, 92, 1],
  ]);
});

it('equal error rates are given for all pairs, balanced kinds and each kind', () => {
  const { equalErrors } = syllableFigures(SET, TRIALS, 90);
  expect(equalErrors.map(({ pool, pairs }) => [pool, pairs])).toEqual([
    ['all', 5],
    ['balanced', 5],
    ['tone', 4],
    ['onset', 1],
  ]);
  // Above 80 a quarter of the tone pairs pass; there half of the own texts are rejected, below it a
  // quarter.
  expect(equalErrors.find(({ pool }) => pool === 'tone')?.equalErrorRate).toBe(0.25);
});

it('tones are tabulated by spoken and expected tone, with the own text on the diagonal', () => {
  const { tonePairs } = syllableFigures(SET, TRIALS, 90);
  expect(tonePairs).toEqual([
    { spoken: 1, expected: 1, compared: 2, passed: 1 },
    { spoken: 1, expected: 2, compared: 1, passed: 0 },
    { spoken: 1, expected: 3, compared: 1, passed: 1 },
    { spoken: 3, expected: 1, compared: 1, passed: 0 },
    { spoken: 3, expected: 3, compared: 1, passed: 0 },
    { spoken: 5, expected: 4, compared: 1, passed: 0 },
    { spoken: 5, expected: 5, compared: 1, passed: 1 },
  ]);
});
