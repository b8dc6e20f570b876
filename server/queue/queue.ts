import { AppError } from '@jyutsing/contracts/errors';
import type { Transaction } from '#store/store.ts';

/** Every job there is: its name and what it carries. A payload holds ids, never content. A new one also needs a retry policy. */
export type JobPayloads = {
  transcribe: { transcriptionId: string };
  /** Sends the final record to the caller's `callback_url`. */
  deliver: { transcriptionId: string };
};
export type JobName = keyof JobPayloads;
/** Also the order in which free places look for work. */
export const JOB_NAMES: readonly JobName[] = ['transcribe', 'deliver'];

export type Job<Name extends JobName = JobName> = {
  id: string;
  name: Name;
  payload: JobPayloads[Name];
  /** How many times it was started, this time included. */
  attempt: number;
};

/**
 * Does the work of one job. Returning is success. Throwing means that the env failed, not the work: the job runs again
 * after a while (see retry-policy.ts); what a retry cannot mend the handler writes into its record and returns.
 * `signal` aborts when the job was given to another process or this one drains too long: stop, and throw or return.
 */
export type JobHandler<Name extends JobName> = (job: Job<Name>, signal: AbortSignal) => Promise<void>;

/** Thrown by a handler that has said itself what went wrong, as is usual with other people's servers: the queue reports nothing. */
export class RetryLater extends AppError {
  constructor(reason: string) {
    super('service_unavailable', reason);
    this.name = 'RetryLater';
  }
}

/** How the jobs of one name are worked on. */
export type JobDefinition<Name extends JobName> = {
  run: JobHandler<Name>;
  /** How many of them at a time in this process. Each name has places of its own, so that none ever waits for another's. */
  concurrency: number;
  /** The job failed for the last time and never runs again; called at least once for each. A throw calls it again later. */
  onDeadLetter: (job: Job<Name>) => Promise<void>;
};

/** Every job name has exactly one handler. */
export type JobDefinitions = { [Name in JobName]: JobDefinition<Name> };

/**
 * Durable jobs beside the records they belong to. At least once: a job whose worker dies runs again elsewhere once its lease ends
 * (or at once, when a process on the same machine notices). Handlers must therefore be safe to repeat.
 */
export type Queue = {
  /** Inside the transaction that writes the record, so that neither exists without the other. `accountId` keeps accounts fair to one another, for each name apart. */
  enqueue<Name extends JobName>(
    transaction: Transaction,
    job: { name: Name; payload: JobPayloads[Name]; accountId: string },
  ): Promise<void>;
  /** Starts to take jobs. To be called once. */
  start(works: JobDefinitions): Promise<void>;
  /** Waiting and running jobs, for metrics. */
  depth(): Promise<{ waiting: number; active: number }>;
  /**
   * Takes no new job; resolves when running ones ended, or after `graceMs` having aborted them: those run again, elsewhere or after
   * the restart. Jobs can still be enqueued.
   */
  drain(graceMs: number): Promise<void>;
  /** Drains without grace, if nobody did before, and closes what the queue opened. The store stays open. */
  close(): Promise<void>;
};
