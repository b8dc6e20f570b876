import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import { AppError } from '@jyutsing/contracts/errors';
import { MAX_SCORED_MS } from '#server/features/pronunciation/score-recording.ts';
import type { Hearing, Scorer } from '#packages/engines/builtin/pronunciation/types.ts';

/** Another text must stay below. */
export const OTHER_TEXT_MARK = 40;

/**
 * A recording as the service would hear it, or the code of the error with which it would be refused (silence, music, what cannot be
 * decoded). Whatever else fails is thrown.
 */
export async function hearFile(scorer: Scorer, path: string): Promise<Hearing | { refused: string }> {
  try {
    const { signal } = new AbortController();
    const { samples } = await readSpeech(path, { maxDurationMs: MAX_SCORED_MS, signal });
    return await scorer.hear(samples);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'engine_failed') throw thrown;
    return { refused: thrown.code };
  }
}
