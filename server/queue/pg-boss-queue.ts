import { randomUUID } from 'node:crypto';
import { PgBoss, type Queue as BossQueue } from 'pg-boss';
import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';
import type { QueueOptions } from './queue-options.ts';
import { DEAD_QUEUE, inside, QUEUES, startWorker, type JobData, type Worker } from './pg-boss-worker.ts';
import { JOB_NAMES, type Queue } from './queue.ts';
import { createWorkerLifecycle } from './worker-lifecycle.ts';

const SCHEMA = 'pgboss';

/**
 * The net under our own leases, for a process killed in the moment between taking a job and noting its claim.
 * pg-boss allows no less than 10 s.
 */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;
/** pg-boss ends what runs longer; the service's own limits come long before. */
const LONGEST_RUN_SECONDS = 23 * 3_600;
const KEEP_DONE_SECONDS = 3_600;
const KEEP_WAITING_SECONDS = 60 * 24 * 3_600;

/** The queue in PostgreSQL. pg-boss keeps, wakes and retries; turns and the leases of workers are ours, as in the embedded queue. */
export async function openPgBossQueue(store: Store, databaseUrl: string, options: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
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
  await createQueues(boss, options);
  const working = createWorkerLifecycle<Worker>();
  return {
    async enqueue(transaction, { name, payload, accountId }) {
      const turn = await transaction.fairQueue.nextPosition(name, accountId);
      const data: JobData = { name, payload, turn };
      // pg-boss takes the highest priority first, and the lowest turn is to be first.
      const sent = await boss.send(QUEUES[name], data, {
        id: randomUUID(),
        priority: -turn,
        db: inside(transaction.raw),
      });
      if (sent === null) throw new AppError('internal_error', undefined, { cause: 'pg-boss did not take the job' });
    },
    start: (works) => working.start(() => startWorker(boss, store, works, options)),
    depth: () => countJobs(boss),
    drain: (graceMs) => working.drain(graceMs),
    async close() {
      await working.drain(0);
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function createQueues(boss: PgBoss, { retry }: QueueOptions): Promise<void> {
  const kept = { retentionSeconds: KEEP_WAITING_SECONDS, deleteAfterSeconds: KEEP_DONE_SECONDS, notify: true };
  // Delays of pg-boss's own, for the burial of dead jobs and for the net; after a handler that threw the policy decides.
  const delays = { retryDelay: 1, retryBackoff: true, retryDelayMax: 60 };
  await createQueue(boss, DEAD_QUEUE, { ...kept, ...delays, retryLimit: 1_000_000 });
  for (const name of JOB_NAMES) {
    await createQueue(boss, QUEUES[name], {
      ...kept,
      ...delays,
      // Counts starts of every kind; handlers that throw are stopped earlier, by the policy.
      retryLimit: retry[name].maxStarts - 1,
      expireInSeconds: LONGEST_RUN_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deadLetter: DEAD_QUEUE,
    });
  }
}

/** Creating what exists changes nothing, so options of an older version are brought up to date after it. */
async function createQueue(boss: PgBoss, name: string, options: Omit<BossQueue, 'name'>): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** Live counts: pg-boss's own statistics may be a minute old. */
async function countJobs(boss: PgBoss): Promise<{ waiting: number; active: number }> {
  const { rows } = await boss.getDb().executeSql(COUNT_JOBS, [Object.values(QUEUES)]);
  const [{ waiting, active }] = rows as [{ waiting: number; active: number }];
  return { waiting, active };
}

const COUNT_JOBS = `
  select (count(*) filter (where state < 'active'))::int as waiting, (count(*) filter (where state = 'active'))::int as active
  from ${SCHEMA}.job where name = any($1::text[]) and state <= 'active'`;
