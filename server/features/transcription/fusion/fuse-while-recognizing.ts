import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fuse, TranscriptionObserver } from '#features/transcription/stages.ts';

/** Some five minutes of speech: several chunks, and what was heard of it (the largest part by far) is a few megabytes. */
const BATCH_CHARACTERS = 1_200;

export type RunningFusion = {
  /** Takes the next segment; waits where correcting falls behind listening, so that no more than two batches lie in memory. */
  add(segment: CorrectionSegment): Promise<void>;
  /**
   * The corrected segments in order, once all are; null when correcting broke down. `seconds` is the time it worked. Throws `timed_out`
   * when a chunk exceeded its time budget.
   */
  finish(): Promise<{ segments: Segment[] | null; seconds: number }>;
};

/**
 * Corrects a transcript in batches while the rest of it is still being recognised: long recordings need neither the time of both
 * stages nor memory for all that was heard. A correction that breaks down costs its text, not the transcription.
 */
export function fuseWhileRecognizing(fuse: Fuse, observer: TranscriptionObserver, signal: AbortSignal): RunningFusion {
  const fused: Segment[] = [];
  let batch: CorrectionSegment[] = [];
  let characters = 0;
  let running: Promise<void> = Promise.resolve();
  let isBroken = false;
  let isListening = true;
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
      } else if (!isListening) observer.progress({ stage: 'fusion', processedMs: event.processedMs });
    }
    throw new AppError('engine_failed', 'The correction ended without a text.');
  };

  const begin = async (): Promise<void> => {
    await running;
    running = run(batch);
    // Awaited at the next batch or at the end; until then a failure must not count as unhandled.
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
      isListening = false;
      await begin();
      await running;
      return { segments: isBroken ? null : fused, seconds: Math.round(workedMs) / 1_000 };
    },
  };
}
