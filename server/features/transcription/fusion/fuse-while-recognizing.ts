import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fuse, TranscriptionObserver } from '#features/transcription/stages.ts';

/**
 * About five minutes of speech: several chunks, and a few megabytes with the syllables, the
 * largest part.
 */
const BATCH_CHARACTERS = 1_200;

export type RunningFusion = {
  /**
   * Adds the next segment; waits when correction falls behind recognition, so at most two batches
   * are in memory.
   */
  add(segment: CorrectionSegment): Promise<void>;
  /**
   * Returns the corrected segments in order, null when correction failed, and the seconds it
   * worked. Throws `timed_out` when a chunk exceeded its time budget.
   */
  finish(): Promise<{ segments: Segment[] | null; seconds: number }>;
};

/**
 * Corrects a transcript in batches while the rest is still being recognized: long recordings need
 * neither the time of both stages nor memory for all syllables. If correction fails, the
 * transcription continues without it.
 */
export function fuseWhileRecognizing(
  fuse: Fuse,
  observer: Pick<TranscriptionObserver, 'progress' | 'correctionFailed'>,
  signal: AbortSignal,
): RunningFusion {
  const fused: Segment[] = [];
  let batch: CorrectionSegment[] = [];
  let characters = 0;
  let running: Promise<void> = Promise.resolve();
  let isBroken = false;
  let workedMs = 0;

  const run = async (segments: readonly CorrectionSegment[]): Promise<void> => {
    if (isBroken || segments.length === 0) return;
    const startedMs = performance.now();
    try {
      fused.push(...(await correct(segments)));
    } catch (thrown) {
      const isOwn =
        thrown instanceof AppError && (thrown.code === 'engine_failed' || thrown.code === 'engine_unavailable');
      if (signal.aborted || !isOwn) throw thrown;
      isBroken = true;
      observer.correctionFailed(null, thrown);
    } finally {
      workedMs += performance.now() - startedMs;
    }
  };

  const correct = async (segments: readonly CorrectionSegment[]): Promise<readonly Segment[]> => {
    for await (const event of fuse(segments, signal)) {
      if (event.type === 'fusion-end') return event.fusion.segments;
      if (event.type === 'corrector-failed') {
        observer.correctionFailed(event.corrector, new AppError(event.code, event.message));
      } else observer.progress({ stage: 'fusion', processedMs: event.processedMs });
    }
    throw new AppError('engine_failed', 'The correction ended without a result.');
  };

  const begin = async (): Promise<void> => {
    await running;
    running = run(batch);
    // Awaited with the next batch or at the end; until then a failure must not count as unhandled.
    running.catch(() => {});
    batch = [];
    characters = 0;
  };

  return {
    async add(segment) {
      batch.push(segment);
      characters += segment.segment.text.length;
      if (characters >= BATCH_CHARACTERS) await begin();
    },
    async finish() {
      await begin();
      await running;
      return { segments: isBroken ? null : fused, seconds: Math.round(workedMs) / 1_000 };
    },
  };
}
