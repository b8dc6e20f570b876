import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** A broken connection that had brought something is resumed almost at once. */
const AFTER_PROGRESS_MS = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export type RetryOptions = {
  /** Failures in a row, without a byte more than before, after which it is given up. */
  retries: number;
  signal: AbortSignal;
  /** Told before each pause, with the reason as a sentence. */
  onRetry(reason: string, pauseMs: number): void;
};

/**
 * Repeats `attempt` as long as it fails with a retryable AppError and either makes progress or has failed fewer than `retries` times
 * in a row. `progressBytes` never goes back; bytes that are brought a second time are no progress, so that a server which always
 * begins again and always breaks off is given up. Pauses double, unless the server said how long to wait.
 */
export async function withRetries<T>(
  options: RetryOptions,
  attempt: () => Promise<T>,
  progressBytes: () => number = () => 0,
): Promise<T> {
  let failures = 0;
  for (;;) {
    const before = progressBytes();
    try {
      return await attempt();
    } catch (thrown) {
      options.signal.throwIfAborted();
      const error = asNetworkError(thrown);
      if (!error.retryable) throw error;
      const progressed = progressBytes() > before;
      failures = progressed ? 0 : failures + 1;
      if (failures > options.retries) throw error;
      const pauseMs =
        error.retryAfterSeconds === null
          ? progressed
            ? AFTER_PROGRESS_MS
            : FIRST_PAUSE_MS * 2 ** (failures - 1)
          : error.retryAfterSeconds * 1_000;
      options.onRetry(error.message, Math.min(pauseMs, LONGEST_PAUSE_MS));
      await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal: options.signal });
    }
  }
}

/** `fetch` reports all trouble of the network as a TypeError with the reason inside; anything else is thrown on as it is. */
function asNetworkError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!(thrown instanceof TypeError)) throw thrown;
  const { cause } = thrown;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const sentence = thrown.message === 'terminated' ? 'the connection broke off' : 'the server cannot be reached';
  return new AppError('service_unavailable', `${sentence}${code}`, { cause: thrown });
}
