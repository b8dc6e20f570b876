import type { Feature } from './score-sentences.ts';

/**
 * What each feature counts for: a logistic regression on the development half of the evaluation's transcripts, kept near
 * what was first assumed (`training/evaluate/summary/fit-weights.ts`), rounded.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 0.1,
  content: 3,
  repeated: 0.8,
  substance: 2.2,
  number: 0.2,
  anecdote: -2.7,
  aside: -1.6,
  question: -1.6,
  edge: -1.9,
  courtesy: -3,
  dangling: -0.9,
};
