import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import { AppError } from '@jyutsing/contracts/errors';
import type { JobClaim } from '#store/repositories/job-claims.ts';
import { withinTime } from '@jyutsing/concurrency/within-time';
import type { RawTransaction, Store } from '#store/store.ts';
import { classOfWorker, classTaken, jobNameOf, storedName, type QueueClasses } from './queue-class.ts';
import type { QueueOptions } from './queue-options.ts';
import { JOB_NAMES, type Job, type JobName, type JobPayloads, type JobDefinitions } from './queue.ts';
import { delayAfterDeathMs, delayAfterOutageMs, delayAfterThrowMs, losesPosition, policyFor } from './retry-policy.ts';
import { createRunningJobs, handleDeadJob, type Outcome, type RunningJobs } from './running-jobs.ts';
import { takeLease, type WorkerLease } from './worker-lease.ts';

/** Transcriptions keep the queue of the first version, so an update loses no job. */
const QUEUES: { readonly [Name in JobName]: string } = { transcribe: 'jobs', deliver: 'jobs-deliver' };
export const DEAD_QUEUE = 'jobs-dead';

/** The pg-boss queue of each job name and class. */
export function queueOf(name: JobName, queueClass: string): string {
  return storedName(QUEUES[name], queueClass);
}

/** The job name of a pg-boss queue of any class. */
export function nameOfQueue(queue: string): string {
  return jobNameOf(queue) === QUEUES.deliver ? 'deliver' : 'transcribe';
}

const HEARTBEAT_REFRESH_SECONDS = 4;
/**
 * Polling in case a NOTIFY is lost, and the delay of retries. Each slot polls for itself, and the
 * many delivery slots can wait longer.
 */
const POLLING = {
  transcribe: { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
  deliver: { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 },
};
const STOP_WITHIN_MS = 1_000;

/**
 * The data of a job in pg-boss; stored, so the names stay. `throws` and `deaths` count its failures
 * and are absent at first: pg-boss itself counts all starts together.
 */
export type JobData = {
  name: JobName;
  payload: JobPayloads[JobName];
  turn: number;
  /** The account of the job; jobs of earlier versions have none. */
  accountId?: string;
  throws?: number;
  deaths?: number;
};

export type Worker = { drain(graceMs: number): Promise<void> };

type BossJob = { id: string; data: JobData; retryCount: number; signal: AbortSignal };
/** `name` is the pg-boss queue. */
type NamedClaim = JobClaim & { name: string };
type Settlement = 'completed' | 'deadletter';

/** Lets pg-boss run a statement inside a transaction of the store. */
export function inside(raw: RawTransaction): Db {
  return { executeSql: (text, values) => raw.executeSql(text, values) };
}

/** Runs jobs from pg-boss, up to the concurrency of each name. */
export async function startWorker(
  boss: PgBoss,
  store: Store,
  definitions: JobDefinitions,
  { retry, lease: timing, classes, onError }: QueueOptions,
): Promise<Worker> {
  const running = createRunningJobs(definitions, onError);
  const subscriptions: string[] = [];
  const requeueOrphanJobs = async () => {
    const delaysMs = await requeueOrphans(boss, store, retry);
    if (delaysMs.includes(0)) subscriptions.forEach((id) => boss.notifyWorker(id));
  };
  const events = {
    onLost: () => running.abortAll(new AppError('service_unavailable', 'The job was given to another process.')),
    onSwept: requeueOrphanJobs,
    onError,
  };
  const lease = await takeLease(store, timing, events, { queueClass: classOfWorker(definitions, classes) });
  let stopped = false;
  const perform = createPerform({ boss, store, lease, running, retry, classes, isStopped: () => stopped });
  for (const name of JOB_NAMES) {
    // One subscription per slot, each with one job: a batch would wait for its slowest job.
    for (let slot = 0; slot < definitions[name].concurrency; slot++)
      subscriptions.push(await subscribe(boss, name, queueOf(name, classTaken(name, classes)), perform));
  }
  await boss.work(
    DEAD_QUEUE,
    { includeMetadata: true, ...POLLING.transcribe },
    async (jobs: JobWithMetadata<JobData>[]) => {
      for (const job of jobs) await handleDeadJob(definitions, toDeadJob(job));
    },
  );
  return {
    async drain(graceMs) {
      stopped = true;
      const off = Promise.all(
        [...JOB_NAMES.map((name) => queueOf(name, classTaken(name, classes))), DEAD_QUEUE].map((queue) =>
          boss.offWork(queue, { wait: true }),
        ),
      );
      await running.drain(graceMs);
      // Includes jobs just being taken; a handler that does not stop is abandoned.
      await withinTime(off, STOP_WITHIN_MS, () => null);
      await lease.release(requeueOrphanJobs);
    },
  };
}

async function subscribe(
  boss: PgBoss,
  name: JobName,
  queue: string,
  perform: (job: BossJob) => Promise<Settlement>,
): Promise<string> {
  const subscription = await boss.work<JobData, unknown, { perJobResults: true; heartbeatRefreshSeconds: number }>(
    queue,
    { perJobResults: true, heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS, ...POLLING[name] },
    async (jobs) => {
      const results = [];
      for (const job of jobs) results.push({ id: job.id, status: await perform(job) });
      // Otherwise it would sleep until its next poll: pg-boss continues at once only with batches.
      boss.notifyWorker(subscription);
      return results;
    },
  );
  return subscription;
}

type PerformContext = {
  boss: PgBoss;
  store: Store;
  lease: WorkerLease;
  running: RunningJobs;
  retry: QueueOptions['retry'];
  classes: QueueClasses;
  isStopped(): boolean;
};

/** Runs one job and returns how pg-boss must settle it. */
function createPerform(context: PerformContext): (job: BossJob) => Promise<Settlement> {
  const { boss, store, lease, running, retry, classes } = context;
  return async (job) => {
    const { name, payload, turn } = job.data;
    const queueClass = classTaken(name, classes);
    const claim: NamedClaim = {
      jobId: job.id,
      attempt: job.retryCount + 1,
      workerId: lease.workerId,
      name: queueOf(name, queueClass),
    };
    let settlement: Settlement = 'completed';
    // In parallel: each waits for the disk once.
    await Promise.all([store.claims.add(claim), store.fairQueue.advance(storedName(name, queueClass), turn)]);
    if (context.isStopped()) {
      await requeue({ boss, store }, claim, job.data, 0);
      return settlement;
    }
    if (delayAfterDeathMs(job.data.deaths ?? 0, policyFor(name, retry)) === null) {
      await store.claims.remove(claim);
      return 'deadletter';
    }
    const throws = (job.data.throws ?? 0) + 1;
    const isLastAttempt = delayAfterThrowMs(throws, policyFor(name, retry)) === null;
    const settle = async (outcome: Outcome) => {
      if (outcome.kind === 'done') return complete(boss, store, claim);
      if (outcome.kind === 'interrupted') return requeue({ boss, store }, claim, job.data, 0);
      if (outcome.kind === 'outage') {
        return requeue({ boss, store }, claim, job.data, delayAfterOutageMs(policyFor(name, retry)));
      }
      const delayMs = delayAfterThrowMs(throws, policyFor(name, retry), outcome.error);
      if (delayMs !== null) {
        const behind = losesPosition(name) ? storedName(name, queueClass) : null;
        return requeue({ boss, store }, claim, { ...job.data, throws }, delayMs, behind);
      }
      settlement = 'deadletter';
      await store.claims.remove(claim);
    };
    await running.run({ id: job.id, name, payload, attempt: claim.attempt, isLastAttempt }, settle, job.signal);
    // pg-boss ignores the settlement of a job that was completed or requeued here.
    return settlement;
  };
}

/** In one transaction: no claim of a finished job stays, and no unfinished job loses its claim. */
async function complete(boss: PgBoss, store: Store, claim: NamedClaim): Promise<void> {
  await store.transaction(async (transaction) => {
    if (!(await transaction.claims.remove(claim))) return;
    await boss.complete(claim.name, attemptOf(claim), null, { db: inside(transaction.raw) });
  });
}

/** `behind`: the queue whose next position of the account the job gets; null: it keeps its own. */
async function requeue(
  { boss, store }: { boss: PgBoss; store: Store },
  claim: NamedClaim,
  data: JobData,
  delayMs: number,
  behind: string | null = null,
): Promise<void> {
  await store.transaction(async (transaction) => {
    if (!(await transaction.claims.remove(claim))) return;
    const { accountId } = data;
    const isBehind = behind !== null && accountId !== undefined;
    const turn = isBehind ? await transaction.fairQueue.nextPosition(behind, accountId) : data.turn;
    await failAttempt(boss, transaction.raw, claim, { ...data, turn }, delayMs);
  });
}

/** The second statement stores the counts and the turn, and replaces the delay of pg-boss. */
async function failAttempt(
  boss: PgBoss,
  raw: RawTransaction,
  claim: NamedClaim,
  data: JobData,
  delayMs: number,
): Promise<void> {
  const db = inside(raw);
  await boss.fail(claim.name, attemptOf(claim), null, { db });
  await boss.update(claim.name, data, { id: claim.jobId, priority: -data.turn, startAfter: delayMs / 1_000, db });
}

/**
 * Requeues the jobs of unregistered workers, counts a death of each, and returns the delays. A job
 * after its last death is started once more, which marks it as dead without running it.
 */
async function requeueOrphans(boss: PgBoss, store: Store, retry: QueueOptions['retry']): Promise<number[]> {
  return store.transaction(async (transaction) => {
    const delaysMs: number[] = [];
    for (const claim of await transaction.claims.removeOrphans()) {
      const db = inside(transaction.raw);
      const job = await boss.getJobById<JobData>(claim.name, claim.jobId, { db });
      if (job === null) continue;
      const deaths = (job.data.deaths ?? 0) + 1;
      const delayMs = delayAfterDeathMs(deaths, policyFor(job.data.name, retry)) ?? 0;
      delaysMs.push(delayMs);
      await failAttempt(boss, transaction.raw, claim, { ...job.data, deaths }, delayMs);
    }
    return delaysMs;
  });
}

function attemptOf(claim: JobClaim): { id: string; retryCount: number } {
  return { id: claim.jobId, retryCount: claim.attempt - 1 };
}

function toDeadJob(dead: JobWithMetadata<JobData>): Job {
  const { name, payload } = dead.data;
  const attempt = (dead.sourceRetryCount ?? 0) + 1;
  return { id: dead.sourceId ?? dead.id, name, payload, attempt, isLastAttempt: true };
}
