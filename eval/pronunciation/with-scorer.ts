import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { openScorer } from '#packages/engines/builtin/pronunciation/open-scorer.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import type { EngineLocation } from '../tasks.ts';

/** Runs with a scorer; returns null and reports it when none is installed for the language. */
export async function withScorer<Result>(
  { env }: Pick<EngineLocation, 'env'>,
  language: Language,
  use: (scorer: Scorer) => Promise<Result>,
): Promise<Result | null> {
  let scorer: Scorer;
  try {
    scorer = await openScorer(env.builtinModelsDir, language);
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === 'engine_unavailable')) throw thrown;
    console.error(`${language}: skipped, no scorer is available (${thrown.message})`);
    return null;
  }
  try {
    return await use(scorer);
  } finally {
    await scorer.close();
  }
}
