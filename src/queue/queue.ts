import type { Transaction } from '#store/store.ts';

/** Every job there is: its name and what it carries. A payload holds ids, never content. */
export type JobPayloads = {
  transcribe: { transcriptionId: string };
};
export type JobName = keyof JobPayloads;

export type Job<Name extends JobName = JobName> = {
  id: string;
  name: Name;
  payload: JobPayloads[Name];
  /** How many times it was started, this time included. */
  attempt: number;
};

/** Does the work of one job. Returning is success; throwing is failure: see `retry` in the driver. `signal` aborts when the lease is lost or the process drains too long. */
export type JobHandler<Name extends JobName> = (job: Job<Name>, signal: AbortSignal) => Promise<void>;

export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

/**
 * Durable jobs beside the records they belong to. At least once: a job whose worker dies runs again elsewhere once its lease ends
 * (or at once, when a process with the same queue notices). Handlers must therefore be safe to repeat.
 */
export type Queue = {
  /** Inside the transaction that writes the record, so that neither exists without the other. `accountId` keeps accounts fair to one another. */
  enqueue<Name extends JobName>(
    transaction: Transaction,
    job: { name: Name; payload: JobPayloads[Name]; accountId: string },
  ): Promise<void>;
  /** Starts to take jobs, at most `concurrency` at a time. Every job name has exactly one handler. */
  work(handlers: JobHandlers, options: { concurrency: number }): Promise<void>;
  /** Waiting and running jobs, for metrics. */
  depth(): Promise<{ waiting: number; active: number }>;
  /** Takes no new job; resolves when running ones ended, or after `graceMs` having aborted them (their leases end and they run again). */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
};
