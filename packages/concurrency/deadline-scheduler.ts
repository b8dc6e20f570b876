type Waiting = { dueMs: number; start: () => void };

/**
 * Limits how many calls run at a time and starts the one with the earliest deadline first. In order
 * of arrival, a stream that has minutes of sound ahead would delay one that has not started.
 */
export class DeadlineScheduler {
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /**
   * Waits until fewer than `limit` calls run; returns a function that must be called once, when the
   * call has ended. `dueMs`: the deadline, by `performance.now()`. An aborted signal throws its
   * reason.
   */
  async acquire(limit: number, dueMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running >= limit) await this.#wait(dueMs, signal);
    else this.#running += 1;
    return () => this.#release();
  }

  async #wait(dueMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { dueMs, start: resolve };
    const abort = () => {
      const index = this.#waiting.indexOf(waiting);
      // Started at the same moment: the caller releases it.
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Passes the slot directly to the next call, so that a new caller cannot take it in between. */
  #release(): void {
    const next = this.#waiting.reduce<Waiting | null>(
      (first, each) => (first === null || each.dueMs < first.dueMs ? each : first),
      null,
    );
    if (next === null) {
      this.#running -= 1;
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.start();
  }
}
