import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionEvent, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { creditsFor, creditsOf } from '#features/transcription/credits.ts';
import type { Store } from '#store/store.ts';

export type MeterServices = {
  store: Pick<Store, 'quotas'>;
  /** The seconds of speech-to-text per month in the plan of an account; null: unlimited. */
  monthlySeconds(accountId: string): Promise<number | null>;
};

/** Seconds reserved at a time: the database is asked about once for each minute of sound. */
const STEP_SECONDS = 60;

/**
 * Makes the quota cover a recording that is longer than it declares. Call the returned function
 * with each event before it is handed out: it reserves more in steps, and throws `quota_exceeded`
 * when the quota has nothing left for the sound of the event.
 */
export function createMeter(
  { id, accountId, durationMs }: Pick<TranscriptionRecord, 'id' | 'accountId' | 'durationMs'>,
  { store, monthlySeconds }: MeterServices,
): (event: TranscriptionEvent) => Promise<void> {
  let reserved = creditsFor(durationMs);
  let gapMs = 0;
  return async (event) => {
    if (event.type === 'gaps') gapMs = event.totalMs;
    const needed = event.type === 'result' ? creditsOf(event.result) : creditsFor(endOf(event) - gapMs);
    if (needed <= reserved) return;
    const limit = await monthlySeconds(accountId);
    if (await store.quotas.grow(id, needed + STEP_SECONDS, limit)) reserved = needed + STEP_SECONDS;
    else if (await store.quotas.grow(id, needed, limit)) reserved = needed;
    else throw exceeded();
  };
}

/** The part of the recording that an event is about, in milliseconds from its beginning. */
function endOf(event: TranscriptionEvent): number {
  if (event.type === 'progress') return event.processedMs;
  return event.type === 'segment-end' ? event.segment.endMs : 0;
}

function exceeded(): AppError {
  return new AppError(
    'quota_exceeded',
    'This recording is longer than it declares and needs more seconds than the monthly quota of this account has left.',
  );
}
