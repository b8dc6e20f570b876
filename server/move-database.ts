import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isGone, isHere, type ProcessPlace } from '@jyutsing/system/process-host';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';
import { handOverBlobs } from './jobs/has-blobs.ts';
import { openQueue } from './queue/open-queue.ts';
import type { QueueOptions } from './queue/queue-options.ts';
import type { JobName, JobPayloads } from './queue/queue.ts';
import { copyTables } from './store/copy-tables.ts';
import { databasePathIn } from './store/database-path.ts';
import { noteMove, refuseMoved, unknownMove, unmarkMoved } from './store/moved-database.ts';
import { openStore } from './store/open-store.ts';
import type { Store, Transaction } from './store/store.ts';

/** A process of the service reports itself more often, while it runs. */
const ALIVE_MS = 60_000;
/** Longest wait for the end of a transaction whose commit had no answer. */
const MOST_UNCERTAIN_MS = 80_000;
const ASK_EVERY_MS = 500;
/** Held by the transaction of a move until PostgreSQL has ended it; the number has no meaning. */
const MOVE_LOCK = 7_419_226_305;
const OTHER_MOVE =
  'Another move to this target runs, or was interrupted and is not ended by PostgreSQL yet, which takes half a minute, or ten minutes beside a slow statement; try again then.';
const NOT_NOTED = 'The note that the database was moved cannot be written beside it, so nothing was moved';
const DISK_FULL = 'the disk of DATA_DIR is full. Free some space on it and move again.';

type Move = {
  dataDir: string;
  /** The address of an empty PostgreSQL database. */
  databaseUrl: string;
  classes: QueueOptions['classes'];
  /** The blob store, which both databases use. */
  blobs: Pick<BlobStore, 'readStream' | 'writeText'>;
  /** Copies and compares everything, and leaves the target as it was. */
  isTrial: boolean;
  onProgress(table: string, copied: number, total: number): void;
  /** The answer to the last step was lost, and is being asked for. */
  onUncertain(): void;
  /** The move is done, but the new database does not have the blobs. */
  onBlobsLeft(): void;
};

/** Rows by table; `jobs`: work that goes on in the new database. */
export type Moved = { rows: Record<string, number>; jobs: number };

/** Ends the transaction of a trial. */
const TRIAL_ENDED = new Error('the trial has ended');

/**
 * Moves the database of a stopped service from SQLite to PostgreSQL, all or nothing: an interrupted
 * move leaves the target empty, and the SQLite database is not changed. Nothing can write to it
 * meanwhile, and from then on every use of it is refused; the target has its blobs. Throws
 * `conflict` when the service still runs or the target has accounts, ConfigError for a database
 * that was moved before, and `outcome_unknown` when the target was lost while it saved the last
 * step and stays away.
 */
export async function moveDatabase(move: Move): Promise<Moved> {
  const { dataDir, databaseUrl, classes } = move;
  const path = databasePathIn(dataDir);
  if (!existsSync(path)) throw new AppError('not_found', `There is no database at ${path}.`);
  // Brings both to the same version.
  const source = await identify(dataDir);
  const target = await openStore({ databaseUrl, dataDir, isMove: true });
  try {
    const queue = await openQueue({ store: target, classes });
    try {
      const moved = await moveInto(source, target, queue, path, move);
      // Until then, neither of them deletes blobs without a record. Killed before it, the target
      // does the same when it starts.
      const hasBlobs = move.isTrial || (await handOverBlobs(move.blobs, source, target).catch(() => false));
      if (!hasBlobs) move.onBlobsLeft();
      return moved;
    } finally {
      await queue.close();
    }
  } finally {
    await target.close();
  }
}

/**
 * Returns the identity of the source, by which its blobs are known. Throws `conflict` while a
 * service uses it.
 */
async function identify(dataDir: string) {
  const { dialect, accounts, identity, workers, close } = await openStore({ databaseUrl: null, dataDir });
  try {
    refuseRunning(await workers.list());
    return { dialect, account: await accounts.firstId(), ...(await identity.find()) };
  } finally {
    await close();
  }
}

type Source = Awaited<ReturnType<typeof identify>>;
type OpenedQueue = Awaited<ReturnType<typeof openQueue>>;

async function moveInto(source: Source, target: Store, queue: OpenedQueue, path: string, move: Move): Promise<Moved> {
  const { dataDir, isTrial, onProgress, onUncertain } = move;
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 1_000 });
  let moved: Moved | null = null;
  let isNoted = false;
  try {
    // Holds the write lock until the end; a service that starts meanwhile says that it is locked.
    database.exec('begin immediate');
    // Again: before the lock was taken, another move may have ended or a service started.
    refuseMoved({ databaseUrl: null, dataDir });
    refuseRunning(workersOf(database));
    await target.transaction(async (transaction) => {
      if (!(await holdsMoveLock(transaction))) throw new AppError('conflict', OTHER_MOVE);
      // The first one stays known when it is deleted.
      const { rows: accounts } = await transaction.raw.executeSql(
        'select 1 from accounts union select id from first_account',
      );
      if (accounts.length > 0) {
        throw new AppError('conflict', 'The target has or had accounts already; move into an empty database.');
      }
      const rows = await copyTables(database, transaction.raw, onProgress);
      moved = { rows, jobs: await enqueueWaiting(database, transaction, queue) };
      await transaction.identity.noteMove(source);
      if (isTrial) throw TRIAL_ENDED;
      await noteBegun(dataDir);
      isNoted = true;
    });
  } catch (failure) {
    if (failure === TRIAL_ENDED) return moved!;
    const isUncertain = isNoted && failure instanceof UncertainCommit;
    if (isUncertain) onUncertain();
    if (!isUncertain || !(await wasMoved(target, database, dataDir))) {
      if (isNoted) await unmarkMoved(dataDir).catch(() => {});
      throw failure;
    }
  } finally {
    // The note refuses others from here on.
    if (database.inTransaction) database.exec('rollback');
    database.close();
  }
  // Refused is also what stays noted as begun.
  await noteMove(dataDir, 'done').catch(() => {});
  return moved!;
}

/**
 * Whether a move was done whose commit had no answer. PostgreSQL releases the lock of a transaction
 * when it has ended, and after its changes can be seen. Throws `outcome_unknown` when the target
 * does not answer, or the transaction does not end.
 */
async function wasMoved(target: Store, database: Database, dataDir: string): Promise<boolean> {
  const account = database.prepare('select id from accounts limit 1').get() as { id: string } | undefined;
  const startedMs = performance.now();
  while (performance.now() - startedMs < MOST_UNCERTAIN_MS) {
    const found = await target
      .transaction(async (transaction) => {
        if (!(await holdsMoveLock(transaction))) return null;
        return account !== undefined && (await transaction.accounts.find(account.id)) !== null;
      })
      .catch(() => null);
    if (found !== null) return found;
    await sleep(ASK_EVERY_MS);
  }
  throw new AppError('outcome_unknown', unknownMove(dataDir));
}

/** Takes the lock until the end of the transaction; false: another has it. */
async function holdsMoveLock({ raw }: Transaction): Promise<boolean> {
  const { rows } = await raw.executeSql(`select pg_try_advisory_xact_lock(${MOVE_LOCK}) as taken`);
  return (rows as { taken: boolean }[])[0]!.taken;
}

/** Within the transaction, so that a note that cannot be written leaves the target empty. */
async function noteBegun(dataDir: string): Promise<void> {
  try {
    await noteMove(dataDir, 'begun');
  } catch (failure) {
    await unmarkMoved(dataDir).catch(() => {});
    const reason = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
    const isFull = reason === 'ENOSPC' || reason === 'EDQUOT';
    throw new AppError('internal_error', `${NOT_NOTED}: ${isFull ? DISK_FULL : `${reason}.`}`);
  }
}

type WaitingJob = { name: JobName; payload: string; account_id: string };

/** In the order in which they would run. A class of machines is decided anew. */
const WAITING_JOBS = `
  select case instr(jobs.name, '.') when 0 then jobs.name else substr(jobs.name, 1, instr(jobs.name, '.') - 1) end as name,
    jobs.payload, transcriptions.account_id
  from jobs join transcriptions on transcriptions.id = json_extract(jobs.payload, '$.transcriptionId')
  order by jobs.turn, jobs.id`;

/** Returns the number of jobs. */
async function enqueueWaiting(database: Database, transaction: Transaction, queue: OpenedQueue): Promise<number> {
  const waiting = database.prepare(WAITING_JOBS).all() as WaitingJob[];
  for (const { name, payload, account_id: accountId } of waiting) {
    const { transcriptionId } = JSON.parse(payload) as JobPayloads[JobName];
    const record = await transaction.transcriptions.find(transcriptionId);
    const plan = name === 'transcribe' ? (record?.plan ?? null) : null;
    await queue.enqueue(transaction, { name, payload: { transcriptionId }, accountId, plan });
  }
  return waiting.length;
}

type Worker = ProcessPlace & { heartbeatAgeMs: number };

/** Those of a database whose lock this process holds. */
function workersOf(database: Database): Worker[] {
  const rows = database.prepare('select host, pid, beat_at_ms from workers').all() as WorkerRow[];
  return rows.map(({ host, pid, beat_at_ms: beatAtMs }) => ({ host, pid, heartbeatAgeMs: Date.now() - beatAtMs }));
}

type WorkerRow = ProcessPlace & { beat_at_ms: number };

/** One of this machine may be suspended, and goes on later; elsewhere only heartbeats tell. */
function refuseRunning(workers: readonly Worker[]): void {
  const alive = workers.find(
    (worker) => (isHere(worker) || worker.heartbeatAgeMs < ALIVE_MS) && !isGone(worker, worker.heartbeatAgeMs),
  );
  if (alive === undefined) return;
  const otherHost = `or did so ${Math.ceil(alive.heartbeatAgeMs / 1_000)} s ago on another machine or in another container; if it has ended, wait a minute`;
  const where = isHere(alive) ? '' : `, ${otherHost}`;
  throw new AppError('conflict', `Stop the service first: the process ${alive.pid} still uses the database${where}.`);
}
