import { expect, test } from 'vitest';
import { trainTrigrams } from './ngram.ts';

const OPTIONS = { corpusShare: 0.7, discounts: [0.5, 0.75, 0.75], minimumTrigramCount: 1, priorPower: 1 } as const;
const BOUNDARY = 0;
const sentences = [
  [0, 1, 2, 3, 0],
  [0, 1, 2, 4, 0],
  [0, 2, 3, 0],
];
const model = trainTrigrams(sentences, Float64Array.from([0, 5, 5, 1, 1, 20]), BOUNDARY, OPTIONS);

const unigram = (word: number): number => Math.exp(model.unigramLogp[word] ?? -Infinity);
const bigram = (first: number, word: number): number => {
  const seen = model.bigrams.get(first)?.get(word);
  return seen === undefined ? Math.exp(model.unigramBackoff[first] ?? 0) * unigram(word) : Math.exp(seen.logp);
};
const trigram = (first: number, second: number, word: number): number => {
  const context = model.bigrams.get(first)?.get(second);
  const seen = context?.next.get(word);
  return seen === undefined ? Math.exp(context?.backoff ?? 0) * bigram(second, word) : Math.exp(seen);
};
const words = [0, 1, 2, 3, 4, 5];
const total = (p: (word: number) => number): number => words.reduce((sum, word) => sum + p(word), 0);

test('probabilities sum to one in every context', () => {
  expect(total(unigram)).toBeCloseTo(1, 9);
  for (const first of words) expect(total((word) => bigram(first, word))).toBeCloseTo(1, 9);
  for (const first of words) {
    for (const second of words) expect(total((word) => trigram(first, second, word))).toBeCloseTo(1, 9);
  }
});

test('seen n-grams are likelier than unseen ones', () => {
  expect(trigram(1, 2, 3)).toBeGreaterThan(trigram(1, 2, 5));
  expect(bigram(1, 2)).toBeGreaterThan(bigram(1, 5));
});

test('a word only in the prior has a nonzero probability', () => {
  expect(unigram(5)).toBeGreaterThan(0);
});
