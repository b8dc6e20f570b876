import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { openQueue } from './queue/open-queue.ts';
import type { QueueOptions } from './queue/queue-options.ts';
import type { JobName, JobPayloads } from './queue/queue.ts';
import { copyTables } from './store/copy-tables.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

/** A process of the service reports itself more often, while it runs. */
const ALIVE_MS = 60_000;

type Move = {
  dataDir: string;
  /** Of an empty PostgreSQL database. */
  databaseUrl: string;
  classes: QueueOptions['classes'];
  /** Copies and compares everything, and leaves the target as it was. */
  isTrial: boolean;
  onProgress(table: string, copied: number, total: number): void;
};

/** Rows by table; `jobs`: work that goes on in the new database. */
export type Moved = { rows: Record<string, number>; jobs: number };

class TrialEnded extends Error {
  readonly moved: Moved;

  constructor(moved: Moved) {
    super('trial');
    this.moved = moved;
  }
}

/**
 * Moves the database of a stopped service from SQLite to PostgreSQL, all or nothing: an interrupted
 * move leaves the target empty, and the SQLite database is not changed. Nothing can write to it
 * meanwhile. Throws `conflict` when the service still runs or the target has accounts.
 */
export async function moveDatabase({ dataDir, databaseUrl, classes, isTrial, onProgress }: Move): Promise<Moved> {
  const path = join(dataDir, 'jyutsing.db');
  if (!existsSync(path)) throw new AppError('not_found', `There is no database at ${path}.`);
  // Brings both to the same version.
  const source = await openStore({ databaseUrl: null, dataDir });
  await refuseRunning(source).finally(() => source.close());
  const target = await openStore({ databaseUrl, dataDir });
  try {
    const queue = await openQueue({ store: target, classes });
    try {
      return await moveInto(target, queue, path, isTrial, onProgress);
    } catch (ended) {
      if (ended instanceof TrialEnded) return ended.moved;
      throw ended;
    } finally {
      await queue.close();
    }
  } finally {
    await target.close();
  }
}

async function moveInto(
  target: Store,
  queue: Awaited<ReturnType<typeof openQueue>>,
  path: string,
  isTrial: boolean,
  onProgress: Move['onProgress'],
): Promise<Moved> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 1_000 });
  try {
    // Holds the write lock until the end; a service that starts meanwhile says that it is locked.
    database.exec('begin immediate');
    return await target.transaction(async (transaction) => {
      const { rows: accounts } = await transaction.raw.executeSql('select 1 from accounts limit 1');
      if (accounts.length > 0) {
        throw new AppError('conflict', 'The target has accounts already; move into an empty database.');
      }
      const rows = await copyTables(database, transaction.raw, onProgress);
      const waiting = database.prepare(WAITING_JOBS).all() as WaitingJob[];
      for (const { name, payload, account_id: accountId } of waiting) {
        const { transcriptionId } = JSON.parse(payload) as JobPayloads[JobName];
        const record = await transaction.transcriptions.find(transcriptionId);
        const plan = name === 'transcribe' ? (record?.plan ?? null) : null;
        await queue.enqueue(transaction, { name, payload: { transcriptionId }, accountId, plan });
      }
      const moved = { rows, jobs: waiting.length };
      if (isTrial) throw new TrialEnded(moved);
      return moved;
    });
  } finally {
    if (database.inTransaction) database.exec('rollback');
    database.close();
  }
}

type WaitingJob = { name: JobName; payload: string; account_id: string };

/** In the order in which they would run. A class of machines is decided anew. */
const WAITING_JOBS = `
  select case instr(jobs.name, '.') when 0 then jobs.name else substr(jobs.name, 1, instr(jobs.name, '.') - 1) end as name,
    jobs.payload, transcriptions.account_id
  from jobs join transcriptions on transcriptions.id = json_extract(jobs.payload, '$.transcriptionId')
  order by jobs.turn, jobs.id`;

async function refuseRunning(source: Store): Promise<void> {
  const workers = await source.workers.list();
  const alive = workers.filter(({ heartbeatAgeMs, pid }) => heartbeatAgeMs < ALIVE_MS && isRunning(pid));
  const [first] = alive;
  if (first === undefined) return;
  throw new AppError('conflict', `Stop the service first: the process ${first.pid} still uses the database.`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM';
  }
}
