/** Largest depth of nested causes. */
const MAX_DEPTH = 5;

/**
 * Returns the code of an error thrown by `fetch` (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`); null
 * without one. `fetch` puts it in the cause of a TypeError, and several connection attempts in an
 * AggregateError.
 */
export function fetchErrorCode(thrown: unknown): string | null {
  let error: unknown = thrown;
  for (let depth = 0; depth < MAX_DEPTH && error instanceof Error; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return null;
}
