import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { Fuse } from './fuse.ts';

/**
 * About five minutes of speech: several chunks, and a few megabytes with the syllables, the
 * largest part.
 */
const BATCH_CHARACTERS = 1_200;

/**
 * The corrected segments in order, null when correction failed; `seconds` is the time of the work.
 */
export type Correction = { segments: Segment[] | null; seconds: number };

export const NO_CORRECTION: Correction = { segments: null, seconds: 0 };

/**
 * Carries segments from recognition to correction. A writer waits when correction falls behind, so
 * at most two batches are in memory.
 */
export function createCorrectionQueue(): Channel<CorrectionSegment> {
  return createChannel({ capacity: BATCH_CHARACTERS, sizeOf: ({ segment }) => segment.text.length });
}

/**
 * Corrects segments in batches while further ones are still being recognized: long recordings need
 * neither the time of both stages nor memory for all syllables. If correction fails, the
 * transcription continues without it, as it does when `fuse` is null. Throws `timed_out` when a
 * chunk exceeds its time budget.
 */
export async function* correctAlongside(
  segments: Channel<CorrectionSegment>,
  fuse: Fuse | null,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent, Correction> {
  if (fuse === null) return NO_CORRECTION;
  const corrected: Segment[] = [];
  let workedMs = 0;
  for await (const batch of batchesOf(segments)) {
    const startedMs = performance.now();
    try {
      corrected.push(...(yield* correctBatch(batch, fuse, signal)));
    } catch (thrown) {
      const isOwn =
        thrown instanceof AppError && (thrown.code === 'engine_failed' || thrown.code === 'engine_unavailable');
      if (signal.aborted || !isOwn) throw thrown;
      yield { type: 'correction-failed', corrector: null, code: thrown.code, message: thrown.message };
      return { segments: null, seconds: Math.round(workedMs + performance.now() - startedMs) / 1_000 };
    }
    workedMs += performance.now() - startedMs;
  }
  return { segments: corrected, seconds: Math.round(workedMs) / 1_000 };
}

async function* correctBatch(
  batch: readonly CorrectionSegment[],
  fuse: Fuse,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent, readonly Segment[]> {
  for await (const event of fuse(batch, signal)) {
    if (event.type === 'fusion-end') return event.fusion.segments;
    yield event;
  }
  throw new AppError('engine_failed', 'The correction ended without a result.');
}

async function* batchesOf(segments: AsyncIterable<CorrectionSegment>): AsyncGenerator<CorrectionSegment[]> {
  let batch: CorrectionSegment[] = [];
  let characters = 0;
  for await (const segment of segments) {
    batch.push(segment);
    characters += segment.segment.text.length;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
