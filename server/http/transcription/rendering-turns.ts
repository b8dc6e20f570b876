import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';

/** A transcript of ten hours takes tens of megabytes while it is read and written. */
const AT_A_TIME = 4;

/**
 * Reads a stored transcript and writes it in a format when it is the turn of its account: some at a
 * time, however many are asked for. An aborted signal throws its reason while it waits.
 */
export type RenderInTurn = <Result>(
  accountId: string,
  signal: AbortSignal,
  render: () => Promise<Result>,
) => Promise<Result>;

export function createRenderingTurns(): RenderInTurn {
  const scheduler = new FairScheduler(AT_A_TIME);
  return async (accountId, signal, render) => {
    const release = await scheduler.acquire({ accountId, dueMs: performance.now() }, signal);
    try {
      // To parse a long record blocks for tens of milliseconds: two must not come together.
      await yieldToEventLoop();
      return await render();
    } finally {
      release();
    }
  };
}
