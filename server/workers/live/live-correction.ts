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
 * from recordings. The work of a piece that is late goes on, because the first one loads
 * dictionaries; pieces that became late while they waited for it are never begun. Never throws.
 */
export function createLiveCorrection(pools: Pick<WorkerPools, 'run'>, withinMs: number): CorrectLive {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (correction) => {
    // Work that goes on loads what a session without a piece asks for.
    const maxOpen = correction.piece === null ? 1 : MAX_OPEN;
    if (withinMs === 0 || open >= maxOpen) return null;
    open += 1;
    const answered = new AbortController();
    const corrected = last
      .then(() => (answered.signal.aborted ? null : pools.run(correctSpeech, correction)))
      .catch(() => null)
      .finally(() => void (open -= 1));
    last = corrected;
    try {
      return await Promise.race([corrected, sleep(withinMs, null, { signal: answered.signal })]);
    } finally {
      answered.abort();
    }
  };
}
