import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';

const logistic = z.object({
  /** Mean of each feature in the training data. */
  mean: z.array(z.number()),
  deviation: z.array(z.number().positive()),
  weights: z.array(z.number()),
  bias: z.number(),
});

const scoreModel = z.object({
  /** Regressions from the features of `features.ts` to shares, 0–1. */
  phone: logistic,
  word: logistic,
  /** Regressions to the probabilities that a word, and that the sentence, was spoken at all. */
  wordSaid: logistic,
  textSaid: logistic,
  accuracy: logistic,
  fluency: logistic,
});

/** Logistic regression on standardized features. */
export type LogisticModel = z.infer<typeof logistic>;
export type ScoreModel = z.infer<typeof scoreModel>;

/** Largest distance of a feature from its mean, in standard deviations. */
const FAR_DEVIATIONS = 4;

/**
 * Reads models/eng/pronunciation.json. Throws `engine_unavailable` when it is missing or damaged.
 */
export function readScoreModel(modelsDir: string): ScoreModel {
  try {
    return scoreModel.parse(JSON.parse(readFileSync(join(modelsDir, 'eng', 'pronunciation.json'), 'utf8')));
  } catch (cause) {
    throw new AppError(
      'engine_unavailable',
      'The model of the English pronunciation scores is missing or damaged; reinstall the project.',
      { cause },
    );
  }
}

/** Applies a model to features; returns a share, 0–1. */
export function predict({ mean, deviation, weights, bias }: LogisticModel, features: readonly number[]): number {
  let sum = bias;
  for (let at = 0; at < weights.length; at++) {
    sum += (weights[at] ?? 0) * standardized(features[at] ?? 0, mean[at] ?? 0, deviation[at] ?? 1);
  }
  return 1 / (1 + Math.exp(-sum));
}

export function standardized(value: number, mean: number, deviation: number): number {
  return Math.min(Math.max((value - mean) / deviation, -FAR_DEVIATIONS), FAR_DEVIATIONS);
}
