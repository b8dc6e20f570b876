import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { SpeechCorrection } from '#features/live/live-context.ts';
import { correctSpeech } from '#workers/tasks/correct-speech.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';

/** Corrects pieces of live speech where that is done in time; null: the piece stays as it is. */
export type CorrectLive = (correction: SpeechCorrection) => Promise<Segment | null>;

/** Pieces that are corrected or wait; further ones would wait for longer than is allowed. */
const MAX_OPEN = 4;

/**
 * Corrects in one process for all sessions, so that many of them take no more than one processor
 * from recordings. A piece that is late goes on, because the first one loads dictionaries, but is
 * not waited for. Never throws.
 */
export function createLiveCorrection(workers: Pick<WorkerPools, 'run'>, withinMs: number): CorrectLive {
  let open = 0;
  return async (correction) => {
    // Work that goes on loads what a session without a piece asks for.
    const maxOpen = correction.piece === null ? 1 : MAX_OPEN;
    if (withinMs === 0 || open >= maxOpen) return null;
    open += 1;
    const corrected = workers
      .run(correctSpeech, correction)
      .catch(() => null)
      .finally(() => void (open -= 1));
    const late = new AbortController();
    try {
      return await Promise.race([corrected, sleep(withinMs, null, { signal: late.signal })]);
    } finally {
      late.abort();
    }
  };
}
