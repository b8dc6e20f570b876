import { expect, it } from 'vitest';
import { vectorsOf } from './rank-sentences.ts';
import { selectSentences } from './select-sentences.ts';

const WORDS = ['salt water flour', 'yeast sugar milk', 'oven stone steam', 'knife board cloth', 'shelf paper string'];
const BOUNDS = { budget: 34, maxCharacters: 1_000, minSentences: 1 };

async function taken(endOdds: number[], scores: number[], bounds = BOUNDS): Promise<number[]> {
  const pieces = WORDS.map((text, index) => ({ text, endOdds: endOdds[index]! }));
  const vectors = await vectorsOf(
    WORDS.map((text) => text.split(' ')),
    () => undefined,
  );
  return selectSentences(pieces, scores, vectors, bounds);
}

it('the continuation of a sentence is selected with it when the cut is uncertain', async () => {
  expect(await taken([Infinity, -3, Infinity, Infinity, Infinity], [0, 5, 1, 0, 2])).toEqual([1, 2]);
});

it('the next sentence has no bonus', async () => {
  expect(await taken([Infinity, Infinity, Infinity, Infinity, Infinity], [0, 5, 1, 0, 2])).toEqual([1, 4]);
});

it('sentences over budget are skipped, but the minimum number is selected', async () => {
  const sure = WORDS.map(() => Infinity);
  expect(await taken(sure, [9, 0, 8, 0, 7], { budget: 17, maxCharacters: 1_000, minSentences: 1 })).toEqual([0]);
  expect(await taken(sure, [9, 0, 8, 0, 7], { budget: 17, maxCharacters: 1_000, minSentences: 3 })).toEqual([0, 2, 4]);
  expect(await taken(sure, [9, 0, 8, 0, 7], { budget: 17, maxCharacters: 33, minSentences: 3 })).toEqual([0, 2]);
});
