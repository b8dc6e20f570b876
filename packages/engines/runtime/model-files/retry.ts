import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** Milliseconds of the pause after a broken connection that made progress. */
const AFTER_PROGRESS_MS = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export type RetryOptions = {
  /** Number of consecutive failures without progress before giving up. */
  retries: number;
  signal: AbortSignal;
  /** Called before each pause with the reason. */
  onRetry(reason: string, pauseMs: number): void;
};

/**
 * Repeats `attempt` while it fails with a retryable AppError and either makes progress or has
 * failed at most `retries` times in a row. `progressBytes` must not decrease; bytes received again
 * are not progress, so that a server that always restarts and always breaks the connection is given
 * up. Pauses double, unless the server sent Retry-After.
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

/**
 * Converts network errors, which `fetch` throws as a TypeError with a cause; rethrows all others.
 */
function asNetworkError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!(thrown instanceof TypeError)) throw thrown;
  const { cause } = thrown;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const sentence = thrown.message === 'terminated' ? 'the connection was lost' : 'the server cannot be reached';
  return new AppError('service_unavailable', `${sentence}${code}`, { cause: thrown });
}
