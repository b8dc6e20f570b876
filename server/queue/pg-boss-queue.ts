import { randomUUID } from 'node:crypto';
import { PgBoss, type Queue as BossQueue } from 'pg-boss';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';
import type { QueueOptions } from './queue-options.ts';
import { DEAD_QUEUE, inside, nameOfQueue, queueOf, startWorker, type JobData, type Worker } from './pg-boss-worker.ts';
import type { Queue, QueueDepth } from './queue.ts';
import { classOf, DEFAULT_CLASS, depthOf, knownClasses, storedName, unattendedClasses } from './queue-class.ts';
import { createWorkerLifecycle } from './worker-lifecycle.ts';

const SCHEMA = 'pgboss';

/**
 * Detects a process killed between taking a job and recording its claim, which leases do not
 * cover. pg-boss allows no less than 10 s.
 */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;
/** pg-boss ends longer runs; the limits of the service apply long before. */
const LONGEST_RUN_SECONDS = 23 * 3_600;
const CLOSE_WITHIN_MS = 3_000;
/**
 * pg-boss keeps waiting for a connection that was lost without a sign unless these limits end it;
 * together they are shorter than the 15 s within which the service recovers.
 */
const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  notifyHeartbeatIntervalMs: 4_000,
  notifyHeartbeatTimeoutMs: 3_000,
};
const UNLIMITED_RETRIES = 1_000_000;
const KEEP_DONE_SECONDS = 3_600;
const KEEP_WAITING_SECONDS = 60 * 24 * 3_600;

/**
 * The queue in PostgreSQL. pg-boss stores, wakes and retries; fair order and worker leases are
 * shared with the SQLite driver.
 */
export async function openPgBossQueue(store: Store, databaseUrl: string, options: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    ...CONNECTION_LIMITS,
    schema: SCHEMA,
    application_name: 'jyutsing-queue',
    max: 6,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Without a listener an 'error' event would end the process.
  boss.on('error', options.onError);
  await boss.start();
  const classes = knownClasses(options.classes);
  await createQueues(boss, classes);
  const lifecycle = createWorkerLifecycle<Worker>();
  return {
    async enqueue(transaction, { name, payload, accountId, plan = null }) {
      const queueClass = classOf(plan, options.classes);
      const position = await transaction.fairQueue.nextPosition(storedName(name, queueClass), accountId);
      const data: JobData = { name, payload, turn: position, accountId };
      // pg-boss runs the highest priority first; the lowest position must run first.
      const jobId = await boss.send(queueOf(name, queueClass), data, {
        id: randomUUID(),
        priority: -position,
        db: inside(transaction.raw),
      });
      if (jobId === null) throw new AppError('internal_error', undefined, { cause: 'pg-boss did not take the job' });
    },
    start: (definitions) => lifecycle.start(() => startWorker(boss, store, definitions, options)),
    depth: () => countJobs(boss),
    async isWaiting(transcriptionId) {
      const queue = queueOf('transcribe', DEFAULT_CLASS);
      const parameters = [queue, `${queue}.%`, transcriptionId];
      const { rows } = await store.transaction(({ raw }) => raw.executeSql(WAITING_TRANSCRIPTION, parameters));
      return rows.length > 0;
    },
    async unattended() {
      const names = new Map(
        classes.map((queueClass) => [queueOf('transcribe', queueClass), storedName('transcribe', queueClass)]),
      );
      // On a connection of the store, which fails at once while the database does not answer.
      const { rows } = await store.transaction(({ raw }) => raw.executeSql(WAITING_QUEUES, [[...names.keys()]]));
      const waiting = (rows as { name: string }[]).map(({ name }) => names.get(name) ?? '');
      return unattendedClasses(options.classes, waiting, store);
    },
    drain: (graceMs) => lifecycle.drain(graceMs),
    async close() {
      await lifecycle.drain(0);
      // Its queries only look for work. On a lost connection they may wait for longer than a stop
      // may take.
      await withinTime(boss.stop({ graceful: false, close: true }), CLOSE_WITHIN_MS, () => null);
    },
  };
}

async function createQueues(boss: PgBoss, classes: readonly string[]): Promise<void> {
  const kept = { retentionSeconds: KEEP_WAITING_SECONDS, deleteAfterSeconds: KEEP_DONE_SECONDS, notify: true };
  // Delays for dead letters and for jobs without a claim. After a handler threw, the retry policy
  // decides.
  const delays = { retryDelay: 1, retryBackoff: true, retryDelayMax: 60 };
  await createQueue(boss, DEAD_QUEUE, { ...kept, ...delays, retryLimit: UNLIMITED_RETRIES });
  const queues = [queueOf('deliver', DEFAULT_CLASS), ...classes.map((queueClass) => queueOf('transcribe', queueClass))];
  for (const queue of queues) {
    await createQueue(boss, queue, {
      ...kept,
      ...delays,
      // The retry policy decides, which counts handlers that throw and processes that die apart.
      retryLimit: UNLIMITED_RETRIES,
      expireInSeconds: LONGEST_RUN_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deadLetter: DEAD_QUEUE,
    });
  }
}

/** `createQueue` does not change an existing queue, so its options are updated afterwards. */
async function createQueue(boss: PgBoss, name: string, options: Omit<BossQueue, 'name'>): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** Counts live: the statistics of pg-boss may be a minute old. */
async function countJobs(boss: PgBoss): Promise<QueueDepth> {
  const { rows } = await boss.getDb().executeSql(COUNT_JOBS);
  return depthOf(rows as { name: string; state: string; count: number }[], nameOfQueue);
}

const COUNT_JOBS = `
  select name, case when state < 'active' then 'waiting' else 'active' end as state, count(*)::int as count
  from ${SCHEMA}.job where (name in ('jobs', 'jobs-deliver') or name like 'jobs.%') and state <= 'active' group by 1, 2`;

const WAITING_TRANSCRIPTION = `
  select from ${SCHEMA}.job where (name = $1 or name like $2) and state < 'active'
  and data -> 'payload' ->> 'transcriptionId' = $3 limit 1`;
const WAITING_QUEUES = `
  select name from unnest($1::text[]) as name
  where exists (select from ${SCHEMA}.job where job.name = name.name and state < 'active')`;
