/**
 * Yields what a function emits while it runs, in order, and ends with it: throws what it throws,
 * after the events before. What is not read yet is kept. A reader that stops early waits for the
 * function, which is to be aborted by other means.
 */
export async function* emittedEvents<Event>(
  run: (emit: (event: Event) => void) => Promise<void>,
): AsyncGenerator<Event> {
  const unread: Event[] = [];
  const state = { isRunning: true, wake: null as (() => void) | null };
  const running = run((event) => {
    unread.push(event);
    state.wake?.();
  }).finally(() => {
    state.isRunning = false;
    state.wake?.();
  });
  // Awaited below, after the last event; until then a failure must not count as unhandled.
  running.catch(() => {});
  try {
    while (state.isRunning || unread.length > 0) {
      yield* unread.splice(0);
      if (state.isRunning && unread.length === 0) await new Promise<void>((resolve) => (state.wake = resolve));
    }
    await running;
  } finally {
    await running.catch(() => {});
  }
}
