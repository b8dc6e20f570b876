import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { AppError } from '#contracts/errors.ts';
import type { Store } from '#store/store.ts';

/**
 * Tells waiting requests of a transcription: its segments as they are heard, and that it is final. Within a process the news comes at once; the work may also end in another
 * process on the same database, so a waiter looks there from time to time as well.
 */
export type Completions = {
  announce(transcriptionId: string): void;
  /** Passes a segment on to those who follow this transcription in this process; nobody may be listening. */
  tell(transcriptionId: string, segment: Segment): void;
  /** Calls `onSegment` for every segment heard from now on in this process, until the returned function is called. */
  follow(transcriptionId: string, onSegment: (segment: Segment) => void): () => void;
  /** Resolves with the final record. Throws `not_found` when it was deleted meanwhile, or the signal's reason. */
  wait(transcriptionId: string, signal: AbortSignal): Promise<TranscriptionRecord>;
};

const LOOK_EVERY_MS = 500;

const segmentsOf = (transcriptionId: string) => `segment of ${transcriptionId}`;

export function createCompletions(store: Store): Completions {
  const news = new EventEmitter().setMaxListeners(0);
  return {
    announce: (id) => void news.emit(id),
    tell: (id, segment) => void news.emit(segmentsOf(id), segment),
    follow(id, onSegment) {
      news.on(segmentsOf(id), onSegment);
      return () => void news.off(segmentsOf(id), onSegment);
    },
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
