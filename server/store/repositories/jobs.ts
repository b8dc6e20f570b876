import type { JobClaim } from './job-claims.ts';

/**
 * One row of the embedded job table. `name` includes the class of its machines. `attempt` counts
 * starts, including the present one; `deaths` those that ended with their process.
 */
export type StoredJob = { id: string; name: string; payload: unknown; attempt: number; deaths: number };

/** The embedded job table; only the SQLite driver uses it. */
export type JobRepository = {
  insert(job: { id: string; name: string; payload: unknown; position: number }): Promise<void>;
  /**
   * Takes the due waiting job with the lowest position, trying the names in order, and advances the
   * fair queue to that position. Null when there is none, or when the worker was declared dead.
   */
  take(workerId: string, names: readonly string[]): Promise<StoredJob | null>;
  /** Deletes the finished job; false when the claim was lost. */
  finish(claim: JobClaim): Promise<boolean>;
  /**
   * Makes the job wait until `runAtMs`. `refund`: do not count the attempt. `position`: absent, it
   * stays. False when the claim was lost.
   */
  requeue(claim: JobClaim, options: { runAtMs: number; refund: boolean; position?: number }): Promise<boolean>;
  /** Marks the job as dead after its last attempt. False when the claim was lost. */
  markDead(claim: JobClaim): Promise<boolean>;
  listDead(): Promise<StoredJob[]>;
  removeDead(jobId: string): Promise<void>;
  /**
   * Requeues the jobs of workers that are no longer registered and counts a death of each.
   * `delayMs` gives the delay after so many deaths; null marks the job as dead. Returns the number
   * of jobs.
   */
  requeueOrphans(delayMs: (job: { name: string; deaths: number }) => number | null): Promise<number>;
  /** Numbers of jobs by name and state: waiting, active or dead. */
  count(): Promise<{ name: string; state: string; count: number }[]>;
  /** The names of waiting jobs. */
  waitingNames(): Promise<string[]>;
  /** Whether a job for this transcription waits, whatever its class. */
  isWaiting(name: string, transcriptionId: string): Promise<boolean>;
};
