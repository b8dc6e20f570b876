/** Errors lie in one another no deeper than this. */
const DEEPEST = 5;

/**
 * The code of what `fetch` threw (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`), which hides the reason in the cause of its TypeError, and several
 * attempts to connect in an AggregateError. Null where there is none.
 */
export function fetchErrorCode(thrown: unknown): string | null {
  let error: unknown = thrown;
  for (let depth = 0; depth < DEEPEST && error instanceof Error; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return null;
}
