import { AppError } from '#contracts/errors.ts';

/**
 * The events of `start`, taken from it as fast as it makes them, whatever the pace of the consumer: for work that must not keep a worker
 * process waiting, and whose events are few enough to lie in memory all at once. What it throws comes after the events before it. A
 * consumer that leaves early aborts it.
 */
export async function* takeAhead<Event>(
  start: (signal: AbortSignal) => AsyncIterable<Event>,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  const leaving = new AbortController();
  const waiting: Event[] = [];
  let outcome: { failure: unknown } | { done: true } | null = null;
  let wake: () => void = () => {};
  const take = async () => {
    try {
      for await (const event of start(AbortSignal.any([signal, leaving.signal]))) {
        waiting.push(event);
        wake();
      }
      outcome = { done: true };
    } catch (failure) {
      outcome = { failure };
    }
    wake();
  };
  try {
    void take();
    for (;;) {
      signal.throwIfAborted();
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (outcome !== null) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    throwFailure(outcome);
  } finally {
    leaving.abort(new AppError('client_closed_request'));
  }
}

function throwFailure(outcome: { failure: unknown } | { done: true }): void {
  if ('failure' in outcome) throw outcome.failure;
}
