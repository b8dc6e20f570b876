import { AppError } from '#contracts/errors.ts';
import type { Language } from '#contracts/transcript.ts';
import type { Scorer } from './types.ts';

/** Opens what scores one language. Throws `engine_unavailable` when its models are missing. */
export async function openScorer(modelsDir: string, language: Language): Promise<Scorer> {
  throw new AppError(
    'engine_unavailable',
    `The built-in assessor has no models for ${language} in ${modelsDir === '' ? 'nowhere' : 'its folder'}.`,
  );
}
