import { expect, test } from 'vitest';
import { mixModels } from './mix-models.ts';
import { type NamedModel, renumber, trigramLogp } from './named-model.ts';
import { bigramLogp, type TrigramModel, trainTrigrams } from './ngram.ts';
import { projectModel } from './project-model.ts';
import { pruneModel } from './prune.ts';

const OPTIONS = { corpusShare: 0.8, discounts: [0.5, 0.75, 0.75], minimumTrigramCount: 1, priorPower: 1 } as const;

/** A published model with two clause marks and a word that we lack. */
const foreign: NamedModel = {
  words: ['。', '，', '我', '吃', '饭', '菜', '〇'],
  model: trainTrigrams(
    [
      [0, 2, 3, 4, 1, 2, 3, 5, 0],
      [0, 2, 6, 3, 4, 0],
      [0, 4, 3, 1, 2, 3, 4, 0, 2, 6, 5, 0],
    ],
    Float64Array.from([3, 3, 5, 5, 1, 1, 2]),
    -1,
    OPTIONS,
  ),
};
/** Our words: 0 is the boundary, 4 a word that the published model lacks. */
const OURS = ['', '我', '吃', '饭', '粥', '菜'];
const numberOf = (text: string): number | undefined => {
  if (text === '。' || text === '，') return 0;
  const number = OURS.indexOf(text);
  return number < 0 ? undefined : number;
};
const projected = projectModel(foreign, numberOf, OURS.length);

/** Sums of all word probabilities: unigrams, after each word, after each pair. */
function sums(model: TrigramModel): number[] {
  const words = [...model.unigramLogp.keys()];
  const total = (logp: (word: number) => number): number => words.reduce((sum, word) => sum + Math.exp(logp(word)), 0);
  return [
    total((word) => model.unigramLogp[word] ?? -Infinity),
    ...words.map((first) => total((word) => bigramLogp(model, first, word))),
    ...words.flatMap((first) => words.map((second) => total((word) => trigramLogp(model, first, second, word)))),
  ];
}

function ngramBytes(model: TrigramModel): number {
  let bytes = 0;
  for (const row of model.bigrams.values()) for (const node of row.values()) bytes += 6 + 3 * node.next.size;
  return bytes;
}

test('probabilities sum to one in every context after projection, mixing, pruning and renumbering', () => {
  const trained = trainTrigrams([[0, 1, 2, 4, 0]], Float64Array.from([0, 1, 1, 1, 1, 1]), 0, OPTIONS);
  const mixed = mixModels(projected, trained, 0.7);
  const pruned = pruneModel(mixed, 40);
  for (const model of [projected, mixed, pruned, renumber(pruned, [0, 5, 4, 3, 2, 1])]) {
    for (const sum of sums(model)) expect(sum).toBeCloseTo(1, 6);
  }
});

test('clause marks become a single boundary at the beginning and end of utterances', () => {
  expect(Math.exp(bigramLogp(projected, 0, 1))).toBeGreaterThan(0.5);
  expect(Math.exp(bigramLogp(projected, 3, 0))).toBeGreaterThan(0.5);
  expect(Math.exp(trigramLogp(projected, 0, 1, 2))).toBeGreaterThan(0.5);
});

test('mixing keeps the preferences of a model for shared words', () => {
  const trained = trainTrigrams([[0, 1, 2, 4, 0]], Float64Array.from([0, 1, 1, 1, 1, 1]), 0, OPTIONS);
  const mixed = mixModels(projected, trained, 0.7);
  const expected = 0.7 * Math.exp(bigramLogp(projected, 2, 3)) + 0.3 * Math.exp(bigramLogp(trained, 2, 3));
  expect(Math.exp(bigramLogp(mixed, 2, 3))).toBeCloseTo(expected, 9);
  expect(bigramLogp(mixed, 2, 4)).toBeGreaterThan(bigramLogp(projected, 2, 4));
});

test('pruning respects the size and removes the least important n-grams', () => {
  const pruned = pruneModel(projected, 40);
  expect(ngramBytes(pruned)).toBeLessThanOrEqual(40);
  expect(ngramBytes(pruned)).toBeGreaterThan(20);
  expect(pruned.bigrams.get(0)?.has(1)).toBe(true);
});

test('renumbering keeps probabilities', () => {
  const turned = renumber(projected, [0, 5, 4, 3, 2, 1]);
  expect(trigramLogp(turned, 5, 4, 3)).toBeCloseTo(trigramLogp(projected, 1, 2, 3), 12);
});
