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

/** The progress of a transcription. `durationMs` is 0 while the duration is unknown. */
type ProgressReport = TranscriptionProgress & { durationMs: number };

/**
 * Publishes the segments, the progress and the end of transcriptions to waiting requests. Within a
 * process updates arrive at once; the work may also run in another process with the same database,
 * so waiters also poll it.
 */
export type TranscriptionUpdates = {
  publishFinal(transcriptionId: string): void;
  /**
   * Publishes a segment to the followers in this process. `index` counts the segments of one run
   * from 0. They are kept for later followers until `forgetSegments`.
   */
  publishSegment(transcriptionId: string, segment: Segment, index: number): void;
  /** Call when a run of the work has ended. */
  forgetSegments(transcriptionId: string): void;
  /** Publishes progress; may be called at any rate. */
  publishProgress(transcriptionId: string, progress: TranscriptionProgress): void;
  /**
   * Yields every segment once and in order, then returns the final record, whatever its outcome.
   * Segments recognized in this process arrive at once, also those of the work that the record
   * joined; all others arrive with the final record. Subscribes with the call, not with the first
   * `next`. Throws what `wait` throws.
   */
  follow(transcriptionId: string, signal: AbortSignal): AsyncGenerator<Segment, TranscriptionRecord>;
  /**
   * Yields the progress at once and then whenever it grows, at most twice a second; then returns
   * the final record. It never decreases, even when the work starts again. Throws what `wait`
   * throws.
   */
  followProgress(transcriptionId: string, signal: AbortSignal): AsyncGenerator<ProgressReport, TranscriptionRecord>;
  /**
   * Resolves with the final record. Throws `not_found` when it was deleted meanwhile, or the
   * reason of the signal.
   */
  wait(transcriptionId: string, signal: AbortSignal): Promise<TranscriptionRecord>;
};

const POLL_INTERVAL_MS = 500;

export function createTranscriptionUpdates(store: Store): TranscriptionUpdates {
  const emitter = new EventEmitter().setMaxListeners(0);
  /** The segments of running work by the id of its record. */
  const runs = new Map<string, Segment[]>();
  const wait = async (id: string, signal: AbortSignal, onWork: (workId: string) => void = () => {}) => {
    for await (const state of polls(emitter, id, signal, () => store.transcriptions.findState(id))) {
      onWork(state.workId);
      if (!isFinal(state)) continue;
      const record = await store.transcriptions.find(id);
      if (record !== null) return record;
    }
    throw deleted();
  };
  return {
    publishFinal: (id) => void emitter.emit(id),
    publishSegment(id, segment, index) {
      const run = runs.get(id) ?? [];
      // A repeated run sends known segments.
      if (index === run.length) run.push(segment);
      runs.set(id, run);
      emitter.emit(segmentsOf(id));
    },
    forgetSegments: (id) => void runs.delete(id),
    publishProgress: (id, progress) => void emitter.emit(progressOf(id), progress),
    follow: (id, signal) => follow(id, { emitter, runs }, (onWork) => wait(id, signal, onWork)),
    followProgress: (id, signal) => followProgress(store, emitter, id, signal),
    wait: (id, signal) => wait(id, signal),
  };
}

/**
 * Yields what `read` finds: at once, on every publication, and twice a second. Ends when it finds
 * nothing; throws the reason of the signal.
 */
async function* polls<Found>(
  emitter: EventEmitter,
  id: string,
  signal: AbortSignal,
  read: () => Promise<Found | null>,
): AsyncGenerator<Found> {
  for (;;) {
    signal.throwIfAborted();
    // Subscribes before reading: an update between the two would be lost otherwise.
    const stopWaiting = new AbortController();
    const wakeUp = () => stopWaiting.abort();
    emitter.once(id, wakeUp);
    try {
      const found = await read();
      if (found === null) return;
      yield found;
      await sleep(POLL_INTERVAL_MS, undefined, { signal: AbortSignal.any([signal, stopWaiting.signal]) }).catch(
        () => {},
      );
    } finally {
      emitter.off(id, wakeUp);
    }
  }
}

async function* followProgress(
  store: Store,
  emitter: EventEmitter,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ProgressReport, TranscriptionRecord> {
  let published: [TranscriptionProgress] | [] = [];
  let furthest = -1;
  const onProgress = (progress: TranscriptionProgress) => void (published = [progress]);
  emitter.on(progressOf(id), onProgress);
  try {
    for await (const found of polls(emitter, id, signal, () => store.transcriptions.findProgress(id))) {
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

function isFinal({ status }: Pick<TranscriptionRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

function deleted(): AppError {
  return new AppError('not_found', 'The transcription was deleted.');
}

const progressOf = (transcriptionId: string) => `progress of ${transcriptionId}`;
const segmentsOf = (transcriptionId: string) => `segment of ${transcriptionId}`;

type Publications = { emitter: EventEmitter; runs: ReadonlyMap<string, Segment[]> };

/**
 * Subscribes at once and until the end, so no listener remains if the updates are never read. The
 * work may pass to another record when its record is deleted.
 */
function follow(
  id: string,
  { emitter, runs }: Publications,
  wait: (onWork: (workId: string) => void) => Promise<TranscriptionRecord>,
): AsyncGenerator<Segment, TranscriptionRecord> {
  let workId = id;
  // Kept here, because the run may have ended before the segments are read.
  let run: readonly Segment[] = runs.get(id) ?? [];
  let wake: (() => void) | null = null;
  const onSegment = () => {
    run = runs.get(workId) ?? run;
    wake?.();
  };
  emitter.on(segmentsOf(workId), onSegment);
  const final = wait((next) => {
    if (next === workId) return;
    emitter.off(segmentsOf(workId), onSegment);
    workId = next;
    emitter.on(segmentsOf(workId), onSegment);
    onSegment();
  });
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    emitter.off(segmentsOf(workId), onSegment);
    wake?.();
  };
  final.then(end, end);

  return (async function* read() {
    let received = 0;
    for (;;) {
      const next = run[received];
      if (next !== undefined) {
        received += 1;
        yield next;
      } else if (hasEnded) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    const record = await final;
    yield* record.status === 'completed' ? record.result.segments.slice(received) : [];
    return record;
  })();
}
