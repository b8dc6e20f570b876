import { expect, test } from 'vitest';
import { scoringCharacters } from './scoring.ts';

test('spelling variants of a particle are the same word, other words are not', () => {
  expect(scoringCharacters('係呀，食囖！')).toEqual(scoringCharacters('係啊食囉'));
  expect(scoringCharacters('咁')).not.toEqual(scoringCharacters('噉'));
  expect(scoringCharacters('喇')).not.toEqual(scoringCharacters('啦'));
});
