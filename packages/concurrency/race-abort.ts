/**
 * The outcome of work, or the reason of a signal that aborts first. The work itself goes on. The
 * listener is removed in any case: a combined signal (`AbortSignal.any`) with a listener lives as
 * long as its sources, and keeps everything that the listener references.
 */
export async function raceAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
