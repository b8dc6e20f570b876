import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment } from '@jyutsing/contracts/transcript';
import {
  TRANSCRIPTION_STAGES,
  type TranscriptionProgress,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';

/** How far a transcription is, of how much: milliseconds of the recording, 0 while its duration is unknown. */
export type ProgressReport = TranscriptionProgress & { durationMs: number };

/**
 * Tells waiting requests of a transcription: its segments as they are heard, how far it is, and that it is final. Within a process the news
 * comes at once; the work may also go on in another process on the same database, so a waiter looks there from time to time.
 */
export type TranscriptionUpdates = {
  publishFinal(transcriptionId: string): void;
  /** Passes a segment on to those who follow this transcription in this process. `index` counts the segments of one run from 0. */
  publishSegment(transcriptionId: string, segment: Segment, index: number): void;
  /** How far the work in this process is; may be told as often as it likes. */
  publishProgress(transcriptionId: string, progress: TranscriptionProgress): void;
  /**
   * Every segment once and in order, then the final record, whatever became of it. Segments that are heard in this process come
   * at once, all others when the record is final. Following begins with the call, not with the first `next`.
   * Throws what `wait` throws.
   */
  follow(transcriptionId: string, signal: AbortSignal): AsyncGenerator<Segment, TranscriptionRecord>;
  /**
   * How far it is, at once and then whenever it is further, at most twice a second; then the final record. It never goes back, also
   * where the work began anew. Throws what `wait` throws.
   */
  followProgress(transcriptionId: string, signal: AbortSignal): AsyncGenerator<ProgressReport, TranscriptionRecord>;
  /** Resolves with the final record. Throws `not_found` when it was deleted meanwhile, or the signal's reason. */
  wait(transcriptionId: string, signal: AbortSignal): Promise<TranscriptionRecord>;
};

const LOOK_EVERY_MS = 500;

export function createTranscriptionUpdates(store: Store): TranscriptionUpdates {
  const news = new EventEmitter().setMaxListeners(0);
  const wait: TranscriptionUpdates['wait'] = async (id, signal) => {
    for await (const status of looks(news, id, signal, () => store.transcriptions.findState(id))) {
      if (!isFinal(status)) continue;
      const record = await store.transcriptions.find(id);
      if (record !== null) return record;
    }
    throw deleted();
  };
  return {
    publishFinal: (id) => void news.emit(id),
    publishSegment: (id, segment, index) => void news.emit(segmentsOf(id), segment, index),
    publishProgress: (id, progress) => void news.emit(progressOf(id), progress),
    follow: (id, signal) => follow(news, id, wait(id, signal)),
    followProgress: (id, signal) => followProgress(store, news, id, signal),
    wait,
  };
}

/**
 * What `look` finds, again and again: at once when the record is announced, and every half a second. Ends when it finds nothing any
 * more; throws the signal's reason.
 */
async function* looks<Found>(
  news: EventEmitter,
  id: string,
  signal: AbortSignal,
  look: () => Promise<Found | null>,
): AsyncGenerator<Found> {
  for (;;) {
    signal.throwIfAborted();
    // Listening begins before looking: news between the two would be lost the other way round.
    const stopWaiting = new AbortController();
    const wakeUp = () => stopWaiting.abort();
    news.once(id, wakeUp);
    try {
      const found = await look();
      if (found === null) return;
      yield found;
      await sleep(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([signal, stopWaiting.signal]) }).catch(() => {});
    } finally {
      news.off(id, wakeUp);
    }
  }
}

async function* followProgress(
  store: Store,
  news: EventEmitter,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ProgressReport, TranscriptionRecord> {
  let told: [TranscriptionProgress] | [] = [];
  let furthest = -1;
  const onProgress = (progress: TranscriptionProgress) => void (told = [progress]);
  news.on(progressOf(id), onProgress);
  try {
    for await (const found of looks(news, id, signal, () => store.transcriptions.findProgress(id))) {
      if (isFinal(found)) {
        const record = await store.transcriptions.find(id);
        if (record !== null) return record;
        continue;
      }
      // What is told in this process is newer than what is written down, unless the work began anew elsewhere.
      const last = told.at(-1) ?? found;
      const progress = placeOf(last) > placeOf(found) ? last : found;
      told = [];
      if (placeOf(progress) <= furthest) continue;
      furthest = placeOf(progress);
      yield { stage: progress.stage, processedMs: progress.processedMs, durationMs: found.durationMs };
    }
  } finally {
    news.off(progressOf(id), onProgress);
  }
  throw deleted();
}

/** Orders progress: a later stage is further than any time of an earlier one. */
function placeOf({ stage, processedMs }: TranscriptionProgress): number {
  return TRANSCRIPTION_STAGES.indexOf(stage) * 1e12 + processedMs;
}

function isFinal({ status }: Pick<TranscriptionRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

function deleted(): AppError {
  return new AppError('not_found', 'The transcription was deleted.');
}

const progressOf = (transcriptionId: string) => `progress of ${transcriptionId}`;
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
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    news.off(segmentsOf(id), onSegment);
    wake?.();
  };
  final.then(end, end);

  return (async function* read() {
    for (;;) {
      yield* unread.splice(0);
      if (unread.length > 0) continue;
      if (hasEnded) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    const record = await final;
    yield* record.status === 'completed' ? record.result.segments.slice(heard) : [];
    return record;
  })();
}
