import { setTimeout as sleep } from 'node:timers/promises';
import { outageError, outageOf } from './database-errors.ts';

/** Random within this, so that several processes do not try at the same moments. */
const RETRY_AFTER_MS = 20;
/** A lock that was not seen for this long has ended. */
const FORGET_MS = 1_000;

/**
 * Waits for the write transaction of another process or program without blocking the event loop,
 * which SQLite's own waiting would do. Statements that find the database locked share one limit, so
 * those that queue behind a waiting one fail as soon as it does.
 */
export class SqliteLock {
  limitMs: number;
  #sinceMs: number | null = null;
  #seenMs = 0;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  /** Repeats a statement that did nothing because of the lock. Throws `service_unavailable`. */
  async whileLocked<Result>(statement: () => Result | Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await statement();
      } catch (error) {
        if (outageOf(error) !== 'locked') throw error;
        if (this.#waitedMs() >= this.limitMs) throw outageError('locked', error);
        await sleep(1 + Math.random() * RETRY_AFTER_MS);
      }
    }
  }

  /** A statement that writes has succeeded: the lock has ended. */
  written(): void {
    this.#sinceMs = null;
  }

  #waitedMs(): number {
    const nowMs = performance.now();
    if (this.#sinceMs === null || nowMs - this.#seenMs > FORGET_MS) this.#sinceMs = nowMs;
    this.#seenMs = nowMs;
    return nowMs - this.#sinceMs;
  }
}
