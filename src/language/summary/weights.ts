import type { Feature } from './score-sentences.ts';

/**
 * What each feature counts for: a logistic regression on the development half of the evaluation's transcripts
 * (`training/evaluate/summary/fit-weights.ts`, penalty 10), rounded.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 0.2,
  content: 3.5,
  substance: 1,
  number: 0.7,
  anecdote: -2.3,
  aside: -2,
  question: -1.9,
  edge: -1.6,
  courtesy: -1.2,
  dangling: -0.5,
  unusualLength: -1.3,
  passage: 1.3,
  lengthBefore: -0.6,
  lengthAfter: -0.6,
  questionBefore: 0.5,
  questionAfter: -1.1,
  anecdoteAfter: -1,
  numberAfter: 0.7,
  outside: -0.9,
  title: 1.1,
};
