import { ConnectionError, RateLimitError, ServerError, TimeoutError, type JyutsingError } from '#client/errors.ts';

/**
 * What a repetition of a request would do. `harmless`: nothing, because it only reads, or the
 * server knows it by its Idempotency-Key. `repeats`: the work again, perhaps at a cost, so it is
 * repeated only when the server certainly did not do it.
 */
export type Repetition = 'harmless' | 'repeats';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A longer `Retry-After` is left to the caller. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Statuses with which a server or a proxy refuses a request before it does anything. */
const REFUSED = new Set([408, 425, 429, 503]);
const FAILED = new Set([...REFUSED, 500, 502, 504]);
/** Failures that no repetition mends. */
const FINAL_CODES = new Set(['engine_failed', 'engine_unavailable']);
/** Errors of a connection that was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether the same request may succeed when it is sent again, and may be sent again. */
export function mayRetry(error: JyutsingError, repetition: Repetition): boolean {
  if (error instanceof ConnectionError) {
    return repetition === 'harmless' || (!(error instanceof TimeoutError) && isUnreached(error));
  }
  if ((error.retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS || FINAL_CODES.has(error.code)) return false;
  // The first attempt still runs: its answer was lost.
  if (error.code === 'request_in_progress') return repetition === 'harmless';
  if (!(error instanceof RateLimitError || error instanceof ServerError || error.status === 408)) return false;
  return (repetition === 'harmless' ? FAILED : REFUSED).has(error.status ?? 0);
}

/** Milliseconds before the next attempt; `attempt` counts from 0. */
export function retryDelayMs(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
  const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  // Random, so that clients that failed together do not come back together.
  return longest * (0.5 + Math.random() / 2);
}

/** Rejects with the reason of the signal. */
export function delay(timeMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, timeMs);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    }
    signal?.addEventListener('abort', finish);
    if (signal?.aborted === true) finish();
  });
}

/** Whether the network says that the server received nothing. Browsers do not tell. */
function isUnreached({ cause }: JyutsingError): boolean {
  for (let next = cause; next instanceof Error; next = next.cause) {
    if ('code' in next && UNREACHED.has(String(next.code))) return true;
    if (
      next instanceof AggregateError &&
      next.errors.some((each: { code?: string }) => UNREACHED.has(each.code ?? ''))
    ) {
      return true;
    }
  }
  return false;
}
