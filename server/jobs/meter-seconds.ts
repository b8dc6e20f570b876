import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { creditsFor } from '#features/transcription/credits.ts';
import type { TranscriptionEvent } from '#features/transcription/stages.ts';
import type { Store } from '#store/store.ts';

export type MeterServices = {
  store: Pick<Store, 'quotas'>;
  /** The seconds of speech-to-text per month in the plan of an account; null: unlimited. */
  monthlySeconds(accountId: string): Promise<number | null>;
};

/** Seconds reserved at a time: the database is asked about once for each minute of sound. */
const STEP_SECONDS = 60;

/**
 * Passes the events of a transcription on once the quota covers them. A recording may be longer
 * than it declares: more is reserved in steps, and when the quota has none, the transcription ends
 * with `quota_exceeded` before anything beyond the reservation is handed out.
 */
export async function* meterSeconds(
  events: AsyncIterable<TranscriptionEvent>,
  { id, accountId, durationMs }: Pick<TranscriptionRecord, 'id' | 'accountId' | 'durationMs'>,
  { store, monthlySeconds }: MeterServices,
): AsyncGenerator<TranscriptionEvent> {
  let reserved = creditsFor(durationMs);
  for await (const event of events) {
    const needed = creditsFor(endOf(event));
    if (needed > reserved) {
      const limit = await monthlySeconds(accountId);
      if (await store.quotas.grow(id, needed + STEP_SECONDS, limit)) reserved = needed + STEP_SECONDS;
      else if (await store.quotas.grow(id, needed, limit)) reserved = needed;
      else throw exceeded();
    }
    yield event;
  }
}

/** The part of the recording that an event is about, in milliseconds from its beginning. */
function endOf(event: TranscriptionEvent): number {
  if (event.type === 'progress') return event.progress.processedMs;
  if (event.type === 'segment') return event.segment.endMs;
  return event.type === 'result' ? event.result.durationMs : 0;
}

function exceeded(): AppError {
  return new AppError(
    'quota_exceeded',
    'This recording is longer than it declares and needs more seconds than the monthly quota of this account has left.',
  );
}
