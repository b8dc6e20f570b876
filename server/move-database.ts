import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isGone, thisProcess, type ProcessPlace } from '@jyutsing/concurrency/process-host';
import { AppError, UNCERTAIN_FOR_MS, UncertainCommit } from '@jyutsing/contracts/errors';
import { openQueue } from './queue/open-queue.ts';
import type { QueueOptions } from './queue/queue-options.ts';
import type { JobName, JobPayloads } from './queue/queue.ts';
import { copyTables } from './store/copy-tables.ts';
import { markMoved, unmarkMoved } from './store/moved-database.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

/** A process of the service reports itself more often, while it runs. */
const ALIVE_MS = 60_000;
const NOT_NOTED = 'The note that the database was moved cannot be written beside it, so nothing was moved';

const UNKNOWN =
  'The target was lost while it saved the last step. When it is back, look with `DATABASE_URL=… jyutsing accounts list` whether it has the accounts; if not, delete jyutsing.db.moved and move again.';

type Move = {
  dataDir: string;
  /** Of an empty PostgreSQL database. */
  databaseUrl: string;
  classes: QueueOptions['classes'];
  /** Copies and compares everything, and leaves the target as it was. */
  isTrial: boolean;
  onProgress(table: string, copied: number, total: number): void;
  /** How long a commit without an answer may still be done; for tests. */
  uncertainForMs?: number;
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
 * meanwhile, and from then on `openStore` refuses it. Throws `conflict` when the service still runs
 * or the target has accounts, and ConfigError for a database that was moved before.
 */
export async function moveDatabase({ dataDir, databaseUrl, classes, ...how }: Move): Promise<Moved> {
  const path = join(dataDir, 'jyutsing.db');
  if (!existsSync(path)) throw new AppError('not_found', `There is no database at ${path}.`);
  // Brings both to the same version.
  const source = await openStore({ databaseUrl: null, dataDir });
  await source.workers
    .list()
    .then(refuseRunning)
    .finally(() => source.close());
  const target = await openStore({ databaseUrl, dataDir });
  try {
    const queue = await openQueue({ store: target, classes });
    try {
      return await moveInto(target, queue, { dataDir, path, ...how });
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

type Moving = Omit<Move, 'databaseUrl' | 'classes'> & { path: string };

async function moveInto(
  target: Store,
  queue: Awaited<ReturnType<typeof openQueue>>,
  { dataDir, path, isTrial, onProgress, uncertainForMs = UNCERTAIN_FOR_MS }: Moving,
): Promise<Moved> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 1_000 });
  /** What was moved, once that was noted. */
  let noted: Moved | null = null;
  try {
    // Holds the write lock until the end; a service that starts meanwhile says that it is locked.
    database.exec('begin immediate');
    // Again: one may have started before the lock was taken.
    refuseRunning(workersOf(database));
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
      await noteMove(dataDir);
      noted = moved;
      return moved;
    });
  } catch (failure) {
    if (noted === null) throw failure;
    if (failure instanceof UncertainCommit && (await wasMoved(target, uncertainForMs))) return noted;
    await unmarkMoved(dataDir);
    throw failure;
  } finally {
    if (database.inTransaction) database.exec('rollback');
    database.close();
  }
}

/**
 * Whether a move was done whose commit had no answer: asks the target until the commit can no
 * longer arrive. Throws `outcome_unknown` when the target does not answer.
 */
async function wasMoved(target: Store, uncertainForMs: number): Promise<boolean> {
  const startedMs = performance.now();
  for (;;) {
    const accounts = await target.accounts.list().catch(() => null);
    if (accounts !== null && accounts.length > 0) return true;
    const waitedMs = performance.now() - startedMs;
    if (accounts !== null && waitedMs >= uncertainForMs) return false;
    if (waitedMs >= 2 * uncertainForMs) throw new AppError('outcome_unknown', UNKNOWN);
    await sleep(Math.min(1_000, uncertainForMs / 4));
  }
}

/** Within the transaction, so that a note that cannot be written leaves the target empty. */
async function noteMove(dataDir: string): Promise<void> {
  try {
    await markMoved(dataDir);
  } catch (failure) {
    await unmarkMoved(dataDir).catch(() => {});
    const reason = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
    throw new AppError('internal_error', `${NOT_NOTED}: ${reason}.`);
  }
}

type WaitingJob = { name: JobName; payload: string; account_id: string };

/** In the order in which they would run. A class of machines is decided anew. */
const WAITING_JOBS = `
  select case instr(jobs.name, '.') when 0 then jobs.name else substr(jobs.name, 1, instr(jobs.name, '.') - 1) end as name,
    jobs.payload, transcriptions.account_id
  from jobs join transcriptions on transcriptions.id = json_extract(jobs.payload, '$.transcriptionId')
  order by jobs.turn, jobs.id`;

type Worker = ProcessPlace & { heartbeatAgeMs: number };

/** Those of a database whose lock this process holds. */
function workersOf(database: Database): Worker[] {
  const rows = database.prepare('select host, pid, beat_at_ms from workers').all() as WorkerRow[];
  return rows.map(({ host, pid, beat_at_ms: beatAtMs }) => ({ host, pid, heartbeatAgeMs: Date.now() - beatAtMs }));
}

type WorkerRow = ProcessPlace & { beat_at_ms: number };

function refuseRunning(workers: readonly Worker[]): void {
  const alive = workers.find((worker) => worker.heartbeatAgeMs < ALIVE_MS && !isGone(worker));
  if (alive === undefined) return;
  const elsewhere = `or did so ${Math.ceil(alive.heartbeatAgeMs / 1_000)} s ago on another machine or in another container; if it has ended, wait a minute`;
  const where = alive.host === thisProcess().host ? '' : `, ${elsewhere}`;
  throw new AppError('conflict', `Stop the service first: the process ${alive.pid} still uses the database${where}.`);
}
