import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';

const line = z.object({
  /** Of the log-odds of the expected part against all others, as the models measure them. */
  slope: z.number().positive(),
  /** What is added: most people say what they should. */
  offset: z.number(),
});

const calibration = z.object({
  onset: line,
  rime: line,
  tone: line,
  /** Onset and rime of every syllable that the language has, written without a tone; only these are rivals of each other. */
  syllables: z.array(z.string()),
});

/** How odds measured on posteriors become odds that a part was said as expected; made by training/pronunciation/syllables/fit.ts. */
export type Calibration = z.infer<typeof calibration>;
export type CalibrationLine = z.infer<typeof line>;

/** Reads pronunciation.json of a language's models. Throws `engine_unavailable` when it is missing or damaged. */
export async function readCalibration(folder: string): Promise<Calibration> {
  try {
    return calibration.parse(JSON.parse(await readFile(join(folder, 'pronunciation.json'), 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The calibration of the pronunciation scores is missing or damaged.', {
      cause,
    });
  }
}

/** Odds beyond these (natural logarithm) say no more. */
const MAX_LOGP = 40;

/** Odds that a part was said wrongly, from its log-odds of having been said as expected. */
export function wrongOdds(oddsLogp: number, { slope, offset }: CalibrationLine): number {
  return Math.exp(-(slope * Math.max(-MAX_LOGP, Math.min(MAX_LOGP, oddsLogp)) + offset));
}
