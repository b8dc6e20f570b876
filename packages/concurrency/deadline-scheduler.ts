type Waiting = { dueMs: number; grant: () => void };

/**
 * Who speaks next, where only so many can at a time: the speech whose listener would be the first to hear silence (earliest deadline
 * first). In the order of asking, one that has minutes of sound ahead would stand before one that has not begun.
 */
export class DeadlineScheduler {
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /**
   * Waits for a place among `places`; gives what hands it on, to be called once. `dueMs`: until when the listener has sound, by
   * `performance.now()`. An aborted signal throws its reason.
   */
  async take(places: number, dueMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running >= places) await this.#wait(dueMs, signal);
    else this.#running += 1;
    return () => this.#handOn();
  }

  async #wait(dueMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { dueMs, grant: resolve };
    const leave = () => {
      const place = this.#waiting.indexOf(waiting);
      // Granted in the same moment, the place is handed on by whoever took it.
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** The place goes over without becoming free in between, so that nobody who comes just now takes it. */
  #handOn(): void {
    const next = this.#waiting.reduce<Waiting | null>(
      (first, each) => (first === null || each.dueMs < first.dueMs ? each : first),
      null,
    );
    if (next === null) {
      this.#running -= 1;
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.grant();
  }
}
