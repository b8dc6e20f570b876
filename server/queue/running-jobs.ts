import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { RetryLater, type Job, type JobName, type JobDefinitions } from './queue.ts';

/** Time for handlers to stop after they were aborted. */
const STOP_WITHIN_MS = 1_000;
const RETRY_SETTLE_AFTER_MS = 1_000;

/**
 * How a run ended. Two ways do not count as failures: `interrupted`, when it did not succeed after
 * its signal was aborted, and `outage`, when the storage of files did not answer.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'interrupted' }
  | { kind: 'outage'; error: StorageUnavailable }
  | { kind: 'failed'; error: unknown };

/** The jobs running in this process, so they can be awaited and stopped. Used by both drivers. */
export type RunningJobs = {
  count(name: JobName): number;
  /**
   * Runs the handler, then saves its outcome with `settle`, repeatedly while the database does not
   * answer: a job left active under a living worker would never run again. Rejects only when
   * draining ended that.
   */
  run(job: Job, settle: (outcome: Outcome) => Promise<void>, stop?: AbortSignal): Promise<void>;
  /** Aborts all running jobs. */
  abortAll(reason: AppError): void;
  /** Waits for all jobs to end; after `graceMs` aborts them and waits briefly. */
  drain(graceMs: number): Promise<void>;
};

/** `onError` receives errors of handlers, and outcomes that could not be saved at once. */
export function createRunningJobs(definitions: JobDefinitions, onError: (error: unknown) => void): RunningJobs {
  const running = new Map<AbortController, { name: JobName; end: Promise<void> }>();
  const drained = new AbortController();
  const abortAll = (reason: AppError) => {
    for (const controller of running.keys()) controller.abort(reason);
  };
  const allEnded = () => Promise.allSettled([...running.values()].map(({ end }) => end));

  async function runAndSettle(
    job: Job,
    settle: (outcome: Outcome) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const outcome = await handle(definitions, job, signal);
    if ('error' in outcome && !(outcome.error instanceof RetryLater)) onError(outcome.error);
    for (;;) {
      try {
        return await settle(outcome);
      } catch (error) {
        onError(error);
        await sleep(RETRY_SETTLE_AFTER_MS, undefined, { signal: drained.signal });
      }
    }
  }

  return {
    count: (name) => [...running.values()].filter((job) => job.name === name).length,
    run(job, settle, stop) {
      const controller = new AbortController();
      const signal = stop === undefined ? controller.signal : AbortSignal.any([controller.signal, stop]);
      const end = runAndSettle(job, settle, signal).finally(() => running.delete(controller));
      running.set(controller, { name: job.name, end });
      return end;
    },
    abortAll,
    async drain(graceMs) {
      await withinTime(allEnded(), graceMs, () => {});
      abortAll(new AppError('service_unavailable', 'The service is stopping.'));
      await withinTime(allEnded(), STOP_WITHIN_MS, () => {});
      drained.abort();
    },
  };
}

async function handle<Name extends JobName>(
  definitions: JobDefinitions,
  job: Job<Name>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const { run } = definitions[job.name];
    await run(job, signal);
    return { kind: 'done' };
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    return error instanceof StorageUnavailable ? { kind: 'outage', error } : { kind: 'failed', error };
  }
}

/** Calls what the definition of the job's name has for jobs that never run again. */
export function handleDeadJob<Name extends JobName>(definitions: JobDefinitions, job: Job<Name>): Promise<void> {
  return definitions[job.name].onDeadLetter(job);
}
