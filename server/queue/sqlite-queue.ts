import { randomUUID } from 'node:crypto';
import { AppError } from '@jyutsing/contracts/errors';
import type { JobClaim } from '#store/repositories/job-claims.ts';
import type { StoredJob } from '#store/repositories/jobs.ts';
import type { Store } from '#store/store.ts';
import {
  classOf,
  classOfWorker,
  classTaken,
  depthOf,
  jobNameOf,
  storedName,
  unattendedClasses,
} from './queue-class.ts';
import type { QueueOptions } from './queue-options.ts';
import { JOB_NAMES, type Job, type JobName, type JobPayloads, type JobDefinitions, type Queue } from './queue.ts';
import { delayAfterDeathMs, delayAfterOutageMs, delayAfterThrowMs, losesPosition, policyFor } from './retry-policy.ts';
import { createRunningJobs, handleDeadJob, type Outcome } from './running-jobs.ts';
import { takeLease } from './worker-lease.ts';
import { createWorkerLifecycle } from './worker-lifecycle.ts';

/**
 * Finds jobs enqueued by other processes and delayed jobs that are due; local ones wake the worker
 * at once.
 */
const POLL_MS = 500;

/** The queue in SQLite: jobs are rows. Enqueuing wakes the worker of this process at once. */
export function openSqliteQueue(store: Store, options: QueueOptions): Queue {
  const lifecycle = createWorkerLifecycle<Worker>();
  return {
    async enqueue(transaction, { name, payload, accountId, plan = null }) {
      const stored = storedName(name, classOf(plan, options.classes));
      const position = await transaction.fairQueue.nextPosition(stored, accountId);
      await transaction.jobs.insert({ id: randomUUID(), name: stored, payload: { ...payload, accountId }, position });
      // The worker wakes after the commit, because it would find nothing before.
      transaction.raw.afterCommit(() => lifecycle.worker?.wake());
    },
    start: (definitions) => lifecycle.start(() => startWorker(store, definitions, options)),
    depth: async () => depthOf(await store.jobs.count(), jobNameOf),
    isWaiting: (transcriptionId) => store.jobs.isWaiting('transcribe', transcriptionId),
    unattended: async () => unattendedClasses(options.classes, await store.jobs.waitingNames(), store),
    drain: (graceMs) => lifecycle.drain(graceMs),
    close: () => lifecycle.drain(0),
  };
}

type StoredPayload = JobPayloads[JobName] & { accountId?: string };

type Worker = { wake(): void; drain(graceMs: number): Promise<void> };

async function startWorker(
  store: Store,
  definitions: JobDefinitions,
  { retry, lease: timing, classes, onError }: QueueOptions,
): Promise<Worker> {
  const running = createRunningJobs(definitions, onError);
  const handleDeadJobs = createDeadJobHandler(store, definitions, retry);
  const state = { stopped: false, taking: false, wakeAgain: false };
  let taken: Promise<void> = Promise.resolve();
  const wake = () => {
    state.wakeAgain = true;
    if (!state.taking && !state.stopped) taken = takeAll().catch(onError);
  };
  const requeueOrphans = () =>
    store.jobs.requeueOrphans(({ name, deaths }) => delayAfterDeathMs(deaths, policyFor(jobNameOf(name), retry)));
  const freeNames = () =>
    JOB_NAMES.filter((name) => running.count(name) < definitions[name].concurrency).map((name) =>
      storedName(name, classTaken(name, classes)),
    );
  const events = {
    onLost: () => running.abortAll(new AppError('service_unavailable', 'The job was given to another process.')),
    async onSwept() {
      await requeueOrphans();
      await handleDeadJobs();
    },
    onError,
  };
  const lease = await takeLease(store, timing, events, { queueClass: classOfWorker(definitions, classes) });
  const settle = createSettle(store, retry, handleDeadJobs);

  async function takeAll(): Promise<void> {
    state.taking = true;
    try {
      while (state.wakeAgain && !state.stopped) {
        state.wakeAgain = false;
        for (let names = freeNames(); names.length > 0 && !state.stopped; names = freeNames()) {
          // Read once: the lease may be lost and taken again meanwhile, and the job belongs to the
          // worker id that took it.
          const { workerId } = lease;
          const job = await store.jobs.take(workerId, names);
          if (job === null) break;
          startJob(job, workerId);
        }
      }
    } finally {
      // In the same step as the last check of `wakeAgain`: a wake-up in between would be lost.
      state.taking = false;
    }
  }

  function startJob(stored: StoredJob, workerId: string): void {
    const claim = { jobId: stored.id, attempt: stored.attempt, workerId };
    running.run(toJob(stored, retry), (outcome) => settle(claim, stored, outcome)).then(wake, onError);
  }

  const poll = setInterval(wake, POLL_MS);
  wake();
  return {
    wake,
    async drain(graceMs) {
      state.stopped = true;
      clearInterval(poll);
      // A job may just be being taken.
      await taken;
      await running.drain(graceMs);
      // Jobs that still run had their time: without the lease other processes take them.
      await lease.release(requeueOrphans);
    },
  };
}

function createSettle(store: Store, retry: QueueOptions['retry'], handleDeadJobs: () => Promise<void>) {
  return async (claim: JobClaim, stored: StoredJob, outcome: Outcome): Promise<void> => {
    const { name, attempt, deaths } = stored;
    switch (outcome.kind) {
      case 'done':
        await store.jobs.finish(claim);
        return;
      case 'interrupted':
        // If the lease was lost, the claim is no longer valid and nothing happens.
        await store.jobs.requeue(claim, { runAtMs: 0, refund: true });
        return;
      case 'outage': {
        const delayMs = delayAfterOutageMs(policyFor(jobNameOf(name), retry));
        await store.jobs.requeue(claim, { runAtMs: Date.now() + delayMs, refund: true });
        return;
      }
      case 'failed': {
        const delayMs = delayAfterThrowMs(attempt - deaths, policyFor(jobNameOf(name), retry), outcome.error);
        if (delayMs !== null) await tryAgain(store, claim, stored, Date.now() + delayMs);
        else if (await store.jobs.markDead(claim)) await handleDeadJobs();
        return;
      }
    }
  };
}

/** Makes a job that failed wait for its next attempt. */
async function tryAgain(store: Store, claim: JobClaim, { name, payload }: StoredJob, runAtMs: number): Promise<void> {
  // Jobs of earlier versions have no account.
  const { accountId } = payload as StoredPayload;
  await store.transaction(async ({ jobs, fairQueue }) => {
    const isBehind = losesPosition(jobNameOf(name)) && accountId !== undefined;
    const options = isBehind ? { position: await fairQueue.nextPosition(name, accountId) } : {};
    await jobs.requeue(claim, { runAtMs, refund: false, ...options });
  });
}

/**
 * Dead jobs stay in the table until `onDeadLetter` succeeded, so a crash cannot leave a record
 * waiting forever.
 */
function createDeadJobHandler(
  store: Store,
  definitions: JobDefinitions,
  retry: QueueOptions['retry'],
): () => Promise<void> {
  let handling: Promise<void> | null = null;
  const handleAll = async () => {
    for (const dead of await store.jobs.listDead()) {
      // Another version of the program may know this name.
      if (!(jobNameOf(dead.name) in definitions)) continue;
      await handleDeadJob(definitions, toJob(dead, retry));
      await store.jobs.removeDead(dead.id);
    }
  };
  return () => (handling ??= handleAll().finally(() => (handling = null)));
}

function toJob(stored: StoredJob, retry: QueueOptions['retry']): Job {
  const { id, attempt, deaths } = stored;
  const { accountId: _, ...payload } = stored.payload as StoredPayload;
  const isLastAttempt = delayAfterThrowMs(attempt - deaths, policyFor(jobNameOf(stored.name), retry)) === null;
  return {
    id,
    name: jobNameOf(stored.name) as JobName,
    payload,
    attempt,
    isLastAttempt,
  };
}
