import type { Store } from '#store/store.ts';
import { ERROR_CATALOGUE } from '#contracts/errors.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Completions } from './completions.ts';
import { failTranscription } from './transcribe.ts';

const LOOK_EVERY_MS = 60_000;

/**
 * Fails records that show no sign of life, so that no client polls for ever. Returns how to stop.
 * A worker that was only slow and finishes later finds its record final and changes nothing.
 */
export function watchForStuck(
  services: { store: Store; completions: Completions; logger: Logger },
  stuckAfterMs: number,
): () => void {
  const error = { code: 'timed_out', message: ERROR_CATALOGUE.timed_out.message } as const;
  const look = async () => {
    for (const id of await services.store.transcriptions.findStuck(Date.now() - stuckAfterMs)) {
      services.logger.warn({ transcriptionId: id }, 'transcription made no progress and was failed');
      await failTranscription(id, error, services);
    }
  };
  const timer = setInterval(
    () => void look().catch((cause: unknown) => services.logger.error({ cause }, 'looking for stuck work failed')),
    Math.min(LOOK_EVERY_MS, stuckAfterMs),
  );
  timer.unref();
  return () => clearInterval(timer);
}
