import { join } from 'node:path';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import { AppError } from '@jyutsing/contracts/errors';
import { voiceModelOf } from '@jyutsing/engines/runtime/speech-detection';
import { MAX_SCORED_MS } from '#server/features/pronunciation/score-recording.ts';
import type { AcousticAnalysis, Scorer } from '#packages/engines/builtin/pronunciation/types.ts';

/** Score below which another text must stay. */
export const OTHER_TEXT_MARK = 40;

const voiceOf = voiceModelOf({ builtinModelsDir: join(import.meta.dirname, '../../models') });

/**
 * Analyses a recording as the service does, or returns the code of the error that refuses it
 * (silence, music, undecodable data). Throws other errors.
 */
export async function analyzeRecording(scorer: Scorer, path: string): Promise<AcousticAnalysis | { refused: string }> {
  try {
    const { signal } = new AbortController();
    const { samples } = await readSpeech(path, { voiceOf, maxDurationMs: MAX_SCORED_MS, signal });
    return await scorer.analyze(samples);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'engine_failed') throw thrown;
    return { refused: thrown.code };
  }
}
