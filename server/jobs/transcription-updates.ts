import { EventEmitter } from 'node:events';
import { createChannel } from '@jyutsing/concurrency/channel';
import type { Segment } from '@jyutsing/contracts/transcript';
import { isFinal, type TranscriptionProgress, type TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { Store } from '#store/store.ts';
import { createWatch, deleted, followProgress, progressOf, type ProgressReport } from './watch-progress.ts';

/**
 * Publishes the segments, the progress and the end of transcriptions to waiting requests. Within a
 * process updates arrive at once; the work may also run in another process with the same database,
 * so it is also read twice a second, once for all waiters together.
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

export function createTranscriptionUpdates(store: Store): TranscriptionUpdates {
  const emitter = new EventEmitter().setMaxListeners(0);
  /** The segments of running work by the id of its record. */
  const runs = new Map<string, Segment[]>();
  const watch = createWatch(store, emitter);
  const wait = async (id: string, signal: AbortSignal, onWork: (workId: string) => void = () => {}) => {
    for await (const state of watch(id, signal)) {
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
    followProgress: (id, signal) => followProgress({ store, emitter, watch }, id, signal),
    wait: (id, signal) => wait(id, signal),
  };
}

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
  const segments = createChannel<Segment>();
  let workId = id;
  let received = 0;
  let receivedUntilMs = -Infinity;
  const catchUp = () => {
    for (const segment of runs.get(workId)?.slice(received) ?? []) {
      segments.push(segment);
      received += 1;
      receivedUntilMs = segment.endMs;
    }
  };
  emitter.on(segmentsOf(workId), catchUp);
  catchUp();
  const final = wait((next) => {
    if (next === workId) return;
    emitter.off(segmentsOf(workId), catchUp);
    workId = next;
    emitter.on(segmentsOf(workId), catchUp);
    catchUp();
  });
  const end = () => {
    emitter.off(segmentsOf(workId), catchUp);
    segments.close();
  };
  final.then(end, end);

  return (async function* read() {
    yield* segments;
    const record = await final;
    // By time instead of number: the result may have cut published segments by speaker.
    if (record.status === 'completed') yield* record.result.segments.filter(({ endMs }) => endMs > receivedUntilMs);
    return record;
  })();
}
