import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { AppError } from '#contracts/errors.ts';
import type { Store } from '#store/store.ts';

/**
 * Tells waiting requests that a transcription is final. Within a process the news comes at once; the work may also end in another
 * process on the same database, so a waiter looks there from time to time as well.
 */
export type Completions = {
  announce(transcriptionId: string): void;
  /** Resolves with the final record. Throws `not_found` when it was deleted meanwhile, or the signal's reason. */
  wait(transcriptionId: string, signal: AbortSignal): Promise<TranscriptionRecord>;
};

const LOOK_EVERY_MS = 500;

export function createCompletions(store: Store): Completions {
  const news = new EventEmitter().setMaxListeners(0);
  return {
    announce: (id) => void news.emit(id),
    async wait(id, signal) {
      for (;;) {
        signal.throwIfAborted();
        // Listening begins before looking: news between the two would be lost the other way round.
        const stopWaiting = new AbortController();
        const wakeUp = () => stopWaiting.abort();
        news.once(id, wakeUp);
        try {
          const record = await store.transcriptions.find(id);
          if (record === null) throw new AppError('not_found', 'The transcription was deleted.');
          if (record.status === 'completed' || record.status === 'failed') return record;
          await sleep(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([signal, stopWaiting.signal]) }).catch(
            () => {},
          );
        } finally {
          news.off(id, wakeUp);
        }
      }
    },
  };
}
