import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#contracts/errors.ts';

const line = z.object({
  /** Of the odds (natural logarithm) of the expected against all others. */
  slope: z.number().positive(),
  /** What is added: most people say what they should. */
  offset: z.number(),
});

const calibration = z.object({ onset: line, rime: line, tone: line });

/** How odds measured on posteriors become probabilities that a part was said as expected. */
export type Calibration = z.infer<typeof calibration>;
export type CalibrationLine = z.infer<typeof line>;

/** Before anything was fitted. */
const PLAIN: Calibration = {
  onset: { slope: 0.6, offset: 1.5 },
  rime: { slope: 0.6, offset: 1.5 },
  tone: { slope: 0.8, offset: 1 },
};

/** Reads pronunciation.json of a language's models. Throws `engine_unavailable` when it is damaged. */
export async function readCalibration(folder: string): Promise<Calibration> {
  const text = await readFile(join(folder, 'pronunciation.json'), 'utf8').catch(() => null);
  if (text === null) return PLAIN;
  try {
    return calibration.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The calibration of the pronunciation scores is damaged.', { cause });
  }
}

/** Natural logarithm of the odds that a part was said wrongly, from its log-odds of having been said as expected. */
export function wrongOddsLogp(oddsLogp: number, { slope, offset }: CalibrationLine): number {
  return -(slope * Math.max(-MOST_LOGP, Math.min(MOST_LOGP, oddsLogp)) + offset);
}

const MOST_LOGP = 40;
