type Outcome = { failure: unknown } | 'closed';

/**
 * Holds events in order until they are read. It repeats the part of the service's channel that the
 * client needs, because the package has no dependencies and runs on platforms without
 * `Promise.withResolvers` (Node 20). A loop that stops early leaves the queue open: another one may
 * go on where it stopped.
 */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #unread: Event[] = [];
  readonly #waiting: (() => void)[] = [];
  #outcome: Outcome | null = null;

  /** Adds an event; does nothing once the queue is over. */
  push(event: Event): void {
    if (this.#outcome === null) this.#unread.push(event);
    this.#waiting.shift()?.();
  }

  /** Ends the readers after the unread events. */
  close(): void {
    this.#finish('closed');
  }

  /** Makes the readers throw after the unread events; the first of `close` and `fail` counts. */
  fail(reason: unknown): void {
    this.#finish({ failure: reason });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    for (;;) {
      if (this.#unread.length > 0) yield this.#unread.shift() as Event;
      else if (this.#outcome === 'closed') return;
      else if (this.#outcome !== null) throw this.#outcome.failure;
      else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  #finish(outcome: Outcome): void {
    this.#outcome ??= outcome;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
