/**
 * A job taken by a worker. Names exactly one attempt, so a worker that lost the job cannot change
 * it.
 */
export type JobClaim = { jobId: string; attempt: number; workerId: string };

/** Records which worker runs which pg-boss job, because pg-boss does not. */
export type JobClaimRepository = {
  add(claim: JobClaim & { name: string }): Promise<void>;
  /** False when it was removed already: the worker has lost the job. */
  remove(claim: JobClaim): Promise<boolean>;
  /**
   * Removes and returns the claims of unregistered workers; each claim is returned to one caller
   * only.
   */
  removeOrphans(): Promise<(JobClaim & { name: string })[]>;
};
