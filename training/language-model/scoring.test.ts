import { expect, test } from 'vitest';
import { editDistance, scoringCharacters } from './scoring.ts';

test('spellings of one particle are the same word, other words are not', () => {
  expect(scoringCharacters('係呀，食囖！')).toEqual(scoringCharacters('係啊食囉'));
  expect(scoringCharacters('咁')).not.toEqual(scoringCharacters('噉'));
  expect(scoringCharacters('喇')).not.toEqual(scoringCharacters('啦'));
});

test('distance counts insertions, deletions and substitutions', () => {
  expect(editDistance([...'香港人'], [...'香港'])).toBe(1);
  expect(editDistance([...'香人'], [...'香港人'])).toBe(1);
  expect(editDistance([...'香講人'], [...'香港人'])).toBe(1);
  expect(editDistance([], [...'香港'])).toBe(2);
  expect(editDistance([], [])).toBe(0);
});
