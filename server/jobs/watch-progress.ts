import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { AppError } from '@jyutsing/contracts/errors';
import {
  isFinal,
  TRANSCRIPTION_STAGES,
  type TranscriptionProgress,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import type { SavedProgress } from '#store/repositories/transcriptions.ts';
import type { Store } from '#store/store.ts';

/** The progress of a transcription. `durationMs` is 0 while the duration is unknown. */
export type ProgressReport = TranscriptionProgress & { durationMs: number };

const POLL_INTERVAL_MS = 500;
/** Rows that are read at once; a database limits the number of parameters. */
const MAX_READ = 1_000;

type Watch = (id: string, signal: AbortSignal) => AsyncGenerator<SavedProgress>;

/**
 * Yields the progress of a record: at once, on every publication, and twice a second. Ends when the
 * record does not exist; throws the reason of the signal. Ten thousand watched records cost the
 * database ten reads twice a second, not ten thousand.
 */
export function createWatch(store: Store, emitter: EventEmitter): Watch {
  const progress = new DataLoader<string, SavedProgress | null>(
    async (ids) => {
      const found = await store.transcriptions.findProgress([...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_READ },
  );
  let interval: Promise<void> | null = null;
  const nextRead = () => (interval ??= sleep(POLL_INTERVAL_MS).finally(() => (interval = null)));

  return async function* watch(id, signal) {
    for (;;) {
      signal.throwIfAborted();
      // Subscribes before reading: an update between the two would be lost otherwise.
      const published = Promise.withResolvers<void>();
      emitter.once(id, published.resolve);
      try {
        const found = await progress.load(id);
        if (found === null) return;
        yield found;
        await raceAbort(Promise.race([nextRead(), published.promise]), signal);
      } finally {
        emitter.off(id, published.resolve);
      }
    }
  };
}

export async function* followProgress(
  { store, emitter, watch }: { store: Store; emitter: EventEmitter; watch: Watch },
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ProgressReport, TranscriptionRecord> {
  let published: [TranscriptionProgress] | [] = [];
  let furthest = -1;
  const onProgress = (progress: TranscriptionProgress) => void (published = [progress]);
  emitter.on(progressOf(id), onProgress);
  try {
    for await (const found of watch(id, signal)) {
      if (isFinal(found)) {
        const record = await store.transcriptions.find(id);
        if (record !== null) return record;
        continue;
      }
      // Published progress is newer than the saved one, unless the work started again elsewhere.
      const last = published.at(-1) ?? found;
      const progress = orderOf(last) > orderOf(found) ? last : found;
      published = [];
      if (orderOf(progress) <= furthest) continue;
      furthest = orderOf(progress);
      yield { stage: progress.stage, processedMs: progress.processedMs, durationMs: found.durationMs };
    }
  } finally {
    emitter.off(progressOf(id), onProgress);
  }
  throw deleted();
}

/** A number that orders progress: a later stage is after every time of an earlier one. */
function orderOf({ stage, processedMs }: TranscriptionProgress): number {
  return TRANSCRIPTION_STAGES.indexOf(stage) * 1e12 + processedMs;
}

export function deleted(): AppError {
  return new AppError('not_found', 'The transcription was deleted.');
}

/** The event of the emitter that carries the progress of a transcription. */
export const progressOf = (transcriptionId: string) => `progress of ${transcriptionId}`;
