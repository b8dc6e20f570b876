// The tables of the queue. server/store implements them; only server/queue uses them.

/**
 * One row of the embedded job table. `name` includes the class of its machines. `attempt` counts
 * starts, including the present one; `deaths` those that ended with their process.
 */
export type StoredJob = { id: string; name: string; payload: unknown; attempt: number; deaths: number };

/**
 * A job taken by a worker. Names exactly one attempt, so a worker that lost the job cannot change
 * it.
 */
export type JobClaim = { jobId: string; attempt: number; workerId: string };

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

/**
 * Start-time fair queueing (Goyal et al. 1996): each job gets a position one after the account's
 * last job, but never before the position that is being served; the lowest position runs first. So
 * an account with a hundred waiting jobs and one with its first alternate. Each job name has its
 * own queue.
 */
export type FairQueueRepository = {
  /** The position of the next job of this name and account. */
  nextPosition(name: string, accountId: string): Promise<number>;
  /** Records that the job at this position has started: accounts that join later begin there. */
  advance(name: string, position: number): Promise<void>;
};

/**
 * A process that runs jobs. `host` names the machine and process namespace in which `pid` is valid.
 */
export type RegisteredWorker = { id: string; host: string; pid: number; heartbeatAgeMs: number };

/**
 * The living processes. Uses the database's clock, so the clocks of several machines need not
 * agree.
 */
export type WorkerRepository = {
  /** `queueClass`: the class whose recordings the worker takes; null or absent: none. */
  register(worker: { id: string; host: string; pid: number }, queueClass?: string | null): Promise<void>;
  /** The classes that the living processes take. */
  queueClasses(): Promise<string[]>;
  /** False when the worker was declared dead: its jobs were given to others. */
  heartbeat(id: string): Promise<boolean>;
  list(): Promise<RegisteredWorker[]>;
  /**
   * Declares the worker dead unless its last heartbeat is younger than `heartbeatAgeMs` (0:
   * always).
   */
  remove(id: string, heartbeatAgeMs: number): Promise<void>;
};
