import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';

const line = z.object({
  /** Factor of the measured log-odds of the expected part against all others. */
  slope: z.number().positive(),
  /** Log-odds that are added as a prior: most syllables are pronounced as expected. */
  offset: z.number(),
});

const lines = { onset: line, rime: line, tone: line };

/**
 * Weights of the contour and of the models' opinion about a tone: the contour of a single syllable
 * is clear, that of fluent speech much less so.
 */
const toneWeights = z.object({ contour: z.number().positive(), models: z.number().nonnegative() });
export type ToneWeights = z.infer<typeof toneWeights>;

const calibration = z.object({
  ...lines,
  /** The same where the listener hears too, with the weights of all opinions. */
  pooled: z.object({
    ...lines,
    weights: z.object({
      first: z.number().positive(),
      further: z.number().nonnegative(),
    }),
    tones: z.object({ alone: toneWeights, fluent: toneWeights }),
    /** Lines for fluent speech that agrees with its text: less clear than single syllables. */
    fluent: z.object(lines),
  }),
  /**
   * Onset and rime of every syllable of the language, without tone; only these compete with each
   * other.
   */
  syllables: z.array(z.string()),
});

/**
 * Calibration of odds measured on posteriors to odds of right pronunciation; made by
 * training/pronunciation/syllables/fit.ts, the weights by training/pronunciation/pool.
 */
export type Calibration = z.infer<typeof calibration>;
export type CalibrationLine = z.infer<typeof line>;
export type CalibrationLines = Record<'onset' | 'rime' | 'tone', CalibrationLine>;

/**
 * Reads pronunciation.json of a language's models. Throws `engine_unavailable` when it is missing
 * or damaged.
 */
export async function readCalibration(folder: string): Promise<Calibration> {
  try {
    return calibration.parse(JSON.parse(await readFile(join(folder, 'pronunciation.json'), 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The calibration of the pronunciation scores is missing or damaged.', {
      cause,
    });
  }
}

/** Largest log-odds; larger ones carry no more information. */
const MAX_LOGP = 40;

/** Computes the odds of a wrong part from the log-odds of a right one. */
export function wrongOdds(oddsLogp: number, { slope, offset }: CalibrationLine): number {
  return Math.exp(-(slope * Math.max(-MAX_LOGP, Math.min(MAX_LOGP, oddsLogp)) + offset));
}
