import { AppError } from '@jyutsing/contracts/errors';
import type { JobName } from './queue.ts';

/**
 * The only retry policy of the service. A start of a job fails in one of two ways, which are
 * counted apart:
 * - The handler throws, because the environment failed (database, disk, another server). The job
 *   waits `firstDelayMs`, then twice that, and so on, and is dead after `maxAttempts`. The storage of
 *   files that does not answer is no failure of the job: it is asked again every `outageDelayMs`.
 * - The process dies. Usually it was killed or restarted, which says nothing about its jobs, so the
 *   first two times they run again at once. A job that crashes the process would do so forever:
 *   from the third time on it waits longer and longer, and after `maxDeaths` it is dead.
 */
type RetryPolicy = {
  maxAttempts: number;
  maxDeaths: number;
  firstDelayMs: number;
  maxDelayMs: number;
  outageDelayMs: number;
};

export type RetryPolicies = { [Name in JobName]: RetryPolicy };

export const DEFAULT_RETRY_POLICIES: RetryPolicies = {
  // A client waits for the text, and the failures are local: about 1, 2, 4 and 8 s.
  transcribe: { maxAttempts: 5, maxDeaths: 25, firstDelayMs: 1_000, maxDelayMs: 60_000, outageDelayMs: 5_000 },
  // The receiver may be down for a while: 5 s to 21 minutes, each up to twice as long; 43 to 85
  // minutes in total.
  deliver: { maxAttempts: 10, maxDeaths: 25, firstDelayMs: 5_000, maxDelayMs: 3_600_000, outageDelayMs: 5_000 },
};

/** The policy for a job name read from the database. */
export function policyFor(name: string, policies: RetryPolicies): RetryPolicy {
  // Another version of the program may know names that this one does not.
  return policies[name as JobName] ?? policies.transcribe;
}

const MAX_DELAY_AFTER_DEATH_MS = 60_000;

/**
 * Delay after the handler threw for the `attempts`-th time; null: the job is dead. Random, so
 * failed jobs do not all retry at the same moment. At least as long as another server asked for.
 */
export function delayAfterThrowMs(attempts: number, policy: RetryPolicy, thrown: unknown = null): number | null {
  if (attempts >= policy.maxAttempts) return null;
  const backoffMs = policy.firstDelayMs * 2 ** (attempts - 1) * (1 + Math.random());
  const askedMs = thrown instanceof AppError ? (thrown.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(policy.maxDelayMs, Math.max(backoffMs, askedMs));
}

/**
 * Whether a job that failed waits behind all others of its account. At its old position it would be
 * first each time, and a receiver that keeps deliveries waiting would leave no slot for those of
 * other accounts. A transcription keeps its position: a client waits for it.
 */
export function losesPosition(name: string): boolean {
  return name === 'deliver';
}

/** Delay after the storage of files did not answer. Random, so that jobs do not all ask at once. */
export function delayAfterOutageMs({ outageDelayMs }: RetryPolicy): number {
  return outageDelayMs * (1 + Math.random());
}

/**
 * Delay after the process died for the `deaths`-th time; null: the job is dead. Random, so a job
 * that crashes its process does not take the same others with it each time.
 */
export function delayAfterDeathMs(deaths: number, policy: RetryPolicy): number | null {
  if (deaths >= policy.maxDeaths) return null;
  if (deaths <= 2) return 0;
  return Math.min(MAX_DELAY_AFTER_DEATH_MS, 1_000 * 2 ** (deaths - 3)) * (0.5 + Math.random() / 2);
}
