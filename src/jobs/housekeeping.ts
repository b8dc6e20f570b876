import { ERROR_CATALOGUE } from '#contracts/errors.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Completions } from './completions.ts';
import { failTranscription } from './transcribe.ts';

type HousekeepingServices = { store: Store; completions: Completions; logger: Logger };

const EVERY_MS = 60_000;
/** No request that holds quota without a record runs as long as this. */
const RESERVATION_ABANDONED_AFTER_MS = 60 * 60_000;

/**
 * What nobody asks for and must happen all the same: records without a sign of life are failed, so that no client polls for ever,
 * and quota held by requests whose process died is given back. Runs at once and then every minute; returns how to stop.
 */
export function startHousekeeping(services: HousekeepingServices, stuckAfterMs: number): () => void {
  const tidy = async () => {
    await failStuck(services, Date.now() - stuckAfterMs);
    await services.store.quotas.releaseAbandoned(Date.now() - RESERVATION_ABANDONED_AFTER_MS);
  };
  const tidyAndReport = () =>
    void tidy().catch((cause: unknown) => services.logger.error({ cause }, 'housekeeping failed'));
  tidyAndReport();
  const timer = setInterval(tidyAndReport, Math.min(EVERY_MS, stuckAfterMs)).unref();
  return () => clearInterval(timer);
}

/** A worker that was only slow and finishes later finds its record final and changes nothing. */
async function failStuck(services: HousekeepingServices, silentSinceMs: number): Promise<void> {
  const error = { code: 'timed_out', message: ERROR_CATALOGUE.timed_out.message } as const;
  for (const id of await services.store.transcriptions.findStuck(silentSinceMs)) {
    services.logger.warn({ transcriptionId: id }, 'transcription made no progress and was failed');
    await failTranscription(id, error, services);
  }
}
