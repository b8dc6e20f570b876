import type { Feature } from './score-sentences.ts';

/**
 * What each feature counts for: a logistic regression on the development half of the evaluation's transcripts, kept near
 * what was first assumed (`training/evaluate/summary/fit-weights.ts`), rounded.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 0.3,
  content: 3,
  repeated: 0.7,
  substance: 1.7,
  number: 0.3,
  anecdote: -3.3,
  aside: -1.8,
  question: -1.6,
  edge: -2.2,
  courtesy: -3,
  dangling: -1,
};
