/** An entry of a list of waiting calls; `start` ends its wait. */
export type Waiting = { start: () => void };

/**
 * Appends an entry to the list and waits until it is started; the caller of `start` removes it from
 * the list before. An aborted signal removes the entry and throws its reason, unless the entry was
 * started at the same moment.
 */
export async function waitInList<Details extends object>(
  list: (Details & Waiting)[],
  details: Details,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = { ...details, start: resolve };
  const abort = () => {
    const index = list.indexOf(entry);
    // The entry was started at the same moment, and its caller releases it.
    if (index < 0) return;
    list.splice(index, 1);
    reject(signal.reason as Error);
  };
  list.push(entry);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
