import type { Feature } from './score-sentences.ts';

/** What each feature counts for. */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  centrality: 1,
  content: 1.5,
  repeated: 0.7,
  substance: 1.2,
  number: 0.8,
  anecdote: -1.5,
  aside: -0.8,
  question: -0.7,
  edge: -0.6,
  courtesy: -3,
  setting: -0.5,
};
