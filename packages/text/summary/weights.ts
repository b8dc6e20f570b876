import type { Feature } from './score-sentences.ts';

/**
 * Feature weights: logistic regression on the development half of the evaluation transcripts
 * (`eval/summary/fit-weights.ts`, penalty 10), rounded.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 0.2,
  content: 3.6,
  substance: 1,
  number: 0.9,
  anecdote: -2.3,
  aside: -1.8,
  question: -1.5,
  edge: -1.7,
  courtesy: -1.4,
  dangling: -0.4,
  unusualLength: -1.4,
  passage: 1.2,
  lengthBefore: -0.6,
  lengthAfter: -0.6,
  questionBefore: 0.6,
  questionAfter: -1.2,
  anecdoteAfter: -1,
  numberAfter: 0.5,
  outside: -0.8,
  title: 1,
};
