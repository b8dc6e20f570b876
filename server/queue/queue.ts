import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { Transaction } from '#store/store.ts';

/**
 * The names of all jobs and their payloads. A payload holds ids, never content. A new job also
 * needs a retry policy.
 */
export type JobPayloads = {
  transcribe: { transcriptionId: string } & Traced;
  /** Sends the final record to the `callback_url` of the request. */
  deliver: { transcriptionId: string } & Traced;
};
/** `traceparent`: of the span in which the job was enqueued; absent while tracing is off. */
type Traced = { traceparent?: string };
export type JobName = keyof JobPayloads;
/** The order in which a worker with free capacity looks for jobs. */
export const JOB_NAMES: readonly JobName[] = ['transcribe', 'deliver'];

/** `waiting`: jobs that have not started, or wait to run again. */
export type QueueDepth = Record<JobName, { waiting: number; active: number }>;

/** A job to enqueue. */
export type NewJob<Name extends JobName> = {
  name: Name;
  payload: JobPayloads[Name];
  accountId: string;
  plan?: TranscriptionPlan | null;
};

export type Job<Name extends JobName = JobName> = {
  id: string;
  name: Name;
  payload: JobPayloads[Name];
  /** Number of starts, including this one. */
  attempt: number;
  /** Whether a failure of this start would be final. */
  isLastAttempt: boolean;
};

/**
 * Runs one job. Returning means success. Throwing means a failure of the environment: the job runs
 * again later (retry-policy.ts). A failure that a retry cannot fix is written to the record, and
 * the handler returns. `signal` aborts when the job was given to another process or the shutdown
 * takes too long: stop, then throw or return.
 */
export type JobHandler<Name extends JobName> = (job: Job<Name>, signal: AbortSignal) => Promise<void>;

/**
 * Thrown by a handler that already logged the failure, usually of another server: the queue logs
 * nothing.
 */
export class RetryLater extends AppError {
  constructor(reason: string) {
    super('service_unavailable', reason);
    this.name = 'RetryLater';
  }
}

type JobDefinition<Name extends JobName> = {
  run: JobHandler<Name>;
  /**
   * Maximum number running at once in this process. Each name has its own limit, so no name waits
   * for another.
   */
  concurrency: number;
  /**
   * Called at least once after the last failure of a job, which never runs again. Called again
   * later if it throws.
   */
  onDeadLetter: (job: Job<Name>) => Promise<void>;
};

export type JobDefinitions = { [Name in JobName]: JobDefinition<Name> };

/**
 * Durable jobs in the database of the records. Runs each job at least once: if its process dies,
 * the job runs again elsewhere when the lease ends, or at once if another process on the same
 * machine notices. Handlers must be safe to repeat.
 * There are two drivers because both databases must write job, record and quota in one
 * transaction: SQLite with rows of its own, PostgreSQL with pg-boss, which adds LISTEN/NOTIFY
 * across processes.
 */
export type Queue = {
  /**
   * Adds a job in the transaction that writes its record, so neither exists without the other.
   * Accounts (`accountId`) take fair turns within each job name and class. The models of `plan`
   * decide the class.
   */
  enqueue<Name extends JobName>(transaction: Transaction, job: NewJob<Name>): Promise<void>;
  /** Starts to run jobs. Call once. */
  start(definitions: JobDefinitions): Promise<void>;
  /** Numbers of waiting and running jobs of each name, for metrics. */
  depth(): Promise<QueueDepth>;
  /** Whether the work of a record waits: it has not started, or waits to run again. */
  isWaiting(transcriptionId: string): Promise<boolean>;
  /** The classes of recordings that wait and that no living process takes. */
  unattended(): Promise<string[]>;
  /**
   * Stops taking jobs; resolves when the running ones have ended. After `graceMs` it aborts them,
   * and they run again elsewhere or after the restart. Jobs can still be enqueued.
   */
  drain(graceMs: number): Promise<void>;
  /**
   * Drains without grace unless already drained, and closes what the queue opened. The store stays
   * open.
   */
  close(): Promise<void>;
};
