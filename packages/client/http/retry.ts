import { ConnectionError, RateLimitError, ServerError, TimeoutError, type JyutsingError } from '#client/errors.ts';

/**
 * The effect of repeating a request. `harmless` has none, because the request only reads, or the
 * server recognizes it by its Idempotency-Key. `repeats` does the work again, perhaps at a cost, so
 * the request is repeated only when the server certainly did not process it.
 */
export type Repetition = 'harmless' | 'repeats';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Longest `Retry-After` that the client waits for; a longer one is left to the caller. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Statuses with which a server or a proxy refuses a request before it does anything. */
const REFUSED = new Set([408, 425, 429, 503]);
const FAILED = new Set([...REFUSED, 500, 502, 504]);
/** Codes of failures that no repetition repairs. */
const FINAL_CODES = new Set(['engine_failed', 'engine_unavailable']);
/** Error codes of a connection that was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Returns true if the same request may be sent again, and may succeed then. */
export function mayRetry(error: JyutsingError, repetition: Repetition): boolean {
  if (error instanceof ConnectionError) {
    return repetition === 'harmless' || (!(error instanceof TimeoutError) && isUnreached(error));
  }
  if ((error.retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS || FINAL_CODES.has(error.code)) return false;
  // The first attempt still runs, and only its response was lost.
  if (error.code === 'request_in_progress') return repetition === 'harmless';
  if (!(error instanceof RateLimitError || error instanceof ServerError || error.status === 408)) return false;
  return (repetition === 'harmless' ? FAILED : REFUSED).has(error.status ?? 0);
}

/** Returns the milliseconds before the next attempt; `attempt` counts from 0. */
export function retryDelayMs(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
  const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  // The time is random, so that clients that failed together do not return together.
  return longest * (0.5 + Math.random() / 2);
}

/** Waits. Rejects with the reason of the signal. */
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

/**
 * Returns true if the network reports that the server received nothing. Browsers do not report it.
 */
function isUnreached({ cause }: JyutsingError): boolean {
  for (let next = cause; next instanceof Error; next = next.cause) {
    if ('code' in next && UNREACHED.has(String(next.code))) return true;
    if (
      next instanceof AggregateError &&
      next.errors.some((nested: { code?: string }) => UNREACHED.has(nested.code ?? ''))
    ) {
      return true;
    }
  }
  return false;
}
