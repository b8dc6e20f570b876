import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { AppError } from '#contracts/errors.ts';
import type { Store } from '#store/store.ts';

/**
 * Tells waiting requests of a transcription: its segments as they are heard, and that it is final. Within a process the news
 * comes at once; the work may also go on in another process on the same database, so a waiter looks there from time to time.
 */
export type Completions = {
  announce(transcriptionId: string): void;
  /** Passes a segment on to those who follow this transcription in this process. `index` counts the segments of one run from 0. */
  tell(transcriptionId: string, segment: Segment, index: number): void;
  /**
   * Every segment once and in order, then the final record, whatever became of it. Segments that are heard in this process come
   * at once, all others when the record is final. Following begins with the call, not with the first `next`.
   * Throws what `wait` throws.
   */
  follow(transcriptionId: string, signal: AbortSignal): AsyncGenerator<Segment, TranscriptionRecord>;
  /** Resolves with the final record. Throws `not_found` when it was deleted meanwhile, or the signal's reason. */
  wait(transcriptionId: string, signal: AbortSignal): Promise<TranscriptionRecord>;
};

const LOOK_EVERY_MS = 500;

export function createCompletions(store: Store): Completions {
  const news = new EventEmitter().setMaxListeners(0);
  const wait: Completions['wait'] = async (id, signal) => {
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
  };
  return {
    announce: (id) => void news.emit(id),
    tell: (id, segment, index) => void news.emit(segmentsOf(id), segment, index),
    follow: (id, signal) => follow(news, id, wait(id, signal)),
    wait,
  };
}

const segmentsOf = (transcriptionId: string) => `segment of ${transcriptionId}`;

/** Subscribes at once and until `final` settles; so nothing stays behind when nobody ever reads. */
function follow(
  news: EventEmitter,
  id: string,
  final: Promise<TranscriptionRecord>,
): AsyncGenerator<Segment, TranscriptionRecord> {
  const unread: Segment[] = [];
  let heard = 0;
  let wake: (() => void) | null = null;
  const onSegment = (segment: Segment, index: number) => {
    // Less: a run that began anew repeats what is known. More: the beginning was missed. The final record has it in either case.
    if (index !== heard) return;
    heard += 1;
    unread.push(segment);
    wake?.();
  };
  news.on(segmentsOf(id), onSegment);
  let isFinal = false;
  const end = () => {
    isFinal = true;
    news.off(segmentsOf(id), onSegment);
    wake?.();
  };
  final.then(end, end);

  return (async function* read() {
    for (;;) {
      yield* unread.splice(0);
      if (unread.length > 0) continue;
      if (isFinal) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    const record = await final;
    yield* record.result?.segments.slice(heard) ?? [];
    return record;
  })();
}
