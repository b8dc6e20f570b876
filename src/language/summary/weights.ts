import type { Feature } from './score-sentences.ts';

/**
 * What each feature counts for: a logistic regression on the development half of the evaluation's transcripts, kept near
 * what was first assumed (`training/evaluate/summary/fit-weights.ts`), rounded.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 0.3,
  content: 3.5,
  repeated: 1,
  substance: 2.4,
  number: 0.7,
  anecdote: -2.8,
  aside: -1.4,
  question: -1.5,
  edge: -1.3,
  courtesy: -3,
  setting: -0.3,
  dangling: -1.2,
};
