import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import { AppError } from '#contracts/errors.ts';
import type { JobClaim, RawTransaction, Store } from '#store/store.ts';
import type { QueueOptions } from './queue-options.ts';
import type { Job, JobHandlers, JobName, JobPayloads, WorkOptions } from './queue.ts';
import { delayAfterDeathMs, delayAfterThrowMs } from './retry-policy.ts';
import { createRunningJobs, type Outcome, type RunningJobs } from './running-jobs.ts';
import { takeLease, type WorkerLease } from './worker-lease.ts';

/** One pg-boss queue for all names, so that concurrency and turns hold across them. */
export const QUEUE = 'jobs';
export const DEAD_QUEUE = 'jobs-dead';

const HEARTBEAT_REFRESH_SECONDS = 4;
/** The net under NOTIFY, and how late a retry can be. */
const POLLING = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
const STOP_WITHIN_MS = 1_000;

/** What pg-boss keeps for us. */
export type JobData = { name: JobName; payload: JobPayloads[JobName]; turn: number };

export type Worker = { drain(graceMs: number): Promise<void> };

type BossJob = { id: string; data: JobData; retryCount: number; signal: AbortSignal };
type Settlement = 'completed' | 'deadletter';

/** Lets pg-boss run a statement inside a transaction of the store. */
export function inside(raw: RawTransaction): Db {
  return { executeSql: (text, values) => raw.executeSql(text, values) };
}

/** Takes jobs from pg-boss, at most `concurrency` at a time. */
export async function startWorker(
  boss: PgBoss,
  store: Store,
  handlers: JobHandlers,
  { concurrency, onDead }: WorkOptions,
  { retry, lease: timing, onError }: QueueOptions,
): Promise<Worker> {
  const running = createRunningJobs(handlers, onError);
  const takers: string[] = [];
  const takeBack = async () => {
    const delaysMs = await takeBackOrphans(boss, store, (attempt) => delayAfterDeathMs(attempt, retry));
    if (delaysMs.includes(0)) takers.forEach((id) => boss.notifyWorker(id));
  };
  const lease = await takeLease(store, timing, {
    onLost: () => running.abortAll(new AppError('service_unavailable', 'The job was given to another process.')),
    onSwept: takeBack,
    onError,
  });
  let stopped = false;
  const perform = createPerform({ boss, store, lease, running, retry, isStopped: () => stopped });
  for (let place = 0; place < concurrency; place++) {
    // One taker for each place, with one job at a time: a batch would wait for its slowest job.
    const taker = await boss.work<JobData, unknown, { perJobResults: true; heartbeatRefreshSeconds: number }>(
      QUEUE,
      { perJobResults: true, heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS, ...POLLING },
      async (jobs) => {
        const results = [];
        for (const job of jobs) results.push({ id: job.id, status: await perform(job) });
        // Else the taker would sleep until its next poll although jobs wait: pg-boss goes on at once only with batches.
        boss.notifyWorker(takers[place] ?? '');
        return results;
      },
    );
    takers.push(taker);
  }
  await boss.work(DEAD_QUEUE, { includeMetadata: true, ...POLLING }, async (jobs: JobWithMetadata<JobData>[]) => {
    for (const job of jobs) await onDead(toDeadJob(job));
  });
  return {
    async drain(graceMs) {
      stopped = true;
      const off = Promise.all([boss.offWork(QUEUE, { wait: true }), boss.offWork(DEAD_QUEUE, { wait: true })]);
      await running.drain(graceMs);
      // Includes what was on its way out of the database; a handler that does not stop is left behind.
      await Promise.race([off, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
      await lease.release();
      await takeBack();
    },
  };
}

type Surroundings = {
  boss: PgBoss;
  store: Store;
  lease: WorkerLease;
  running: RunningJobs;
  retry: QueueOptions['retry'];
  isStopped(): boolean;
};

/** Runs one job, and says how pg-boss is to settle it. */
function createPerform(around: Surroundings): (job: BossJob) => Promise<Settlement> {
  const { boss, store, lease, running, retry } = around;
  return async (job) => {
    const claim: JobClaim = { jobId: job.id, attempt: job.retryCount + 1, workerId: lease.workerId };
    let settlement: Settlement = 'completed';
    // Side by side: each waits for the disk once.
    await Promise.all([store.claims.add({ ...claim, name: QUEUE }), store.turns.advance(job.data.turn)]);
    if (around.isStopped()) {
      await putBack(boss, store, claim, 0);
      return settlement;
    }
    const settle = async (outcome: Outcome) => {
      if (outcome.kind === 'done') return complete(boss, store, claim);
      if (outcome.kind === 'interrupted') return putBack(boss, store, claim, 0);
      const delayMs = delayAfterThrowMs(claim.attempt, retry);
      if (delayMs !== null) return putBack(boss, store, claim, delayMs);
      settlement = 'deadletter';
      await store.claims.remove(claim);
    };
    const { name, payload } = job.data;
    await running.run({ id: job.id, name, payload, attempt: claim.attempt }, settle, job.signal);
    // A job that we completed or put back ourselves is no longer pg-boss's to settle, and it leaves it alone.
    return settlement;
  };
}

/** Together, so that no claim is left of a job that is done, and no job without a claim while it is not. */
async function complete(boss: PgBoss, store: Store, claim: JobClaim): Promise<void> {
  await store.transaction(async (transaction) => {
    if (!(await transaction.claims.remove(claim))) return;
    await boss.complete(QUEUE, attemptOf(claim), null, { db: inside(transaction.raw) });
  });
}

async function putBack(boss: PgBoss, store: Store, claim: JobClaim, delayMs: number): Promise<void> {
  await store.transaction(async (transaction) => {
    if (await transaction.claims.remove(claim)) await failAttempt(boss, transaction.raw, claim, delayMs);
  });
}

/** pg-boss has its own delay after a failure, which the second statement replaces by that of our policy. */
async function failAttempt(boss: PgBoss, raw: RawTransaction, claim: JobClaim, delayMs: number): Promise<void> {
  const db = inside(raw);
  await boss.fail(QUEUE, attemptOf(claim), null, { db });
  await boss.update(QUEUE, undefined, { id: claim.jobId, startAfter: delayMs / 1_000, db });
}

/** Puts back the jobs of workers that are no longer registered; gives the delay of each. Beyond the last start pg-boss makes it dead. */
async function takeBackOrphans(
  boss: PgBoss,
  store: Store,
  delayMs: (attempt: number) => number | null,
): Promise<number[]> {
  return store.transaction(async (transaction) => {
    const delays: number[] = [];
    for (const claim of await transaction.claims.removeOrphans()) {
      delays.push(delayMs(claim.attempt) ?? 0);
      await failAttempt(boss, transaction.raw, claim, delays.at(-1) ?? 0);
    }
    return delays;
  });
}

function attemptOf(claim: JobClaim): { id: string; retryCount: number } {
  return { id: claim.jobId, retryCount: claim.attempt - 1 };
}

function toDeadJob(dead: JobWithMetadata<JobData>): Job {
  const { name, payload } = dead.data;
  return { id: dead.sourceId ?? dead.id, name, payload, attempt: (dead.sourceRetryCount ?? 0) + 1 };
}
