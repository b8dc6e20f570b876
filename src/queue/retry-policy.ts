/**
 * The only retry policy of the service. A job counts its starts. Two things end a start badly:
 * - the handler threw: the surroundings failed (the database, the disk). It waits about 1, 2, 4, 8 s and is dead after `maxAttempts`.
 * - its process died: almost always a kill or a restart, so the first times it runs again at once. A job that takes the process down
 *   itself would do so for ever: from the third time on others go first while it waits longer and longer, and after `maxStarts` it is dead.
 */
export type RetryPolicy = { maxAttempts: number; maxStarts: number };

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxAttempts: 5, maxStarts: 10 };

/** First delay after a throw; it doubles each time. pg-boss takes whole seconds. */
export const RETRY_DELAY_SECONDS = 1;
const MAX_DELAY_MS = 60_000;

/** Milliseconds to wait after the handler threw for the `attempt`-th time; null: dead. Randomised so that failures do not return as one crowd. */
export function delayAfterThrowMs(attempt: number, policy: RetryPolicy): number | null {
  if (attempt >= policy.maxAttempts) return null;
  return Math.min(MAX_DELAY_MS, RETRY_DELAY_SECONDS * 1_000 * 2 ** (attempt - 1) * (1 + Math.random()));
}

/** Milliseconds to wait after the process of the `attempt`-th start died; null: dead. */
export function delayAfterDeathMs(attempt: number, policy: RetryPolicy): number | null {
  if (attempt >= policy.maxStarts) return null;
  return attempt <= 2 ? 0 : Math.min(MAX_DELAY_MS, 1_000 * 2 ** (attempt - 3));
}
