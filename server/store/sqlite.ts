import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { prepareDataDir } from './data-dir.ts';
import { outageError, outageOf, translateError } from './database-errors.ts';
import { makeDatabaseIn } from './database-path.ts';
import type { Outage } from './database-errors.ts';
import type { Database, OpenedConnection, ReadFirst } from './database-types.ts';
import { prepareDatabaseFile } from './private-files.ts';
import { ImmediateSqliteDialect } from './sqlite-dialect.ts';
import { SqliteErasure } from './sqlite-erasure.ts';
import { SqliteFiles } from './sqlite-files.ts';
import { SqliteLock } from './sqlite-lock.ts';
import { SqliteSnapshot } from './sqlite-snapshot.ts';
import { SqliteSpare } from './sqlite-spare.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { openSqliteSync, type SqliteSync } from './sqlite-sync.ts';

/**
 * Longest wait for a write transaction of another process; a migration may take longer. With the
 * rest of a request less than 2 s.
 */
const LOCKED_FOR_MS = 1_000;
const MIGRATING_FOR_MS = 30_000;
/** Reads meet a lock only for moments, for example while another process closes the database. */
const READ_TIMEOUT_MS = 50;
/** A failed write is reported by `check` for this long; processes write more often. */
const REPORT_FAILURE_MS = 5_000;

/**
 * Opens DATA_DIR/jyutsing.db with two connections: one for writing and one for reads outside
 * transactions.
 */
export async function openSqlite(dataDir: string): Promise<OpenedConnection> {
  await prepareDataDir(dataDir);
  const path = makeDatabaseIn(dataDir);
  prepareDatabaseFile(path);
  // SQLite waits by blocking the event loop; SqliteLock waits instead.
  const database = new Sqlite(path, { timeout: 0 });
  await useWriteAheadLog(database);
  // FULL would sync the log at each commit and block the event loop meanwhile. With NORMAL the
  // database stays consistent, and SqliteSync waits for the disk before a write is acknowledged,
  // so that it survives a power failure.
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  // Overwrites deleted content, so deleted texts cannot be found in the file.
  database.pragma('secure_delete = ON');
  const erasure = new SqliteErasure(database, new SqliteSpare(path));
  // Rows that a killed process deleted may still be in the log.
  erasure.erase();
  const readerDatabase = new Sqlite(path, { timeout: READ_TIMEOUT_MS, readonly: true });
  readerDatabase.prepare('select count(*) from sqlite_master').get();
  const files = new SqliteFiles(path);
  const sync = await openSqliteSync(`${path}-wal`, () => erasure.erase());
  const snapshot = new SqliteSnapshot(readerDatabase);
  const state = createState({ database, files, erasure, sync, snapshot });
  const inTransaction = () => database.inTransaction;
  const writer = new Kysely<Database>({
    dialect: new ImmediateSqliteDialect({
      database: new SqliteStatements(database),
      inTransaction,
      run: state.runWrite,
      beforeUse: () => sync.assertWorking(),
      afterUse: state.afterWrites,
    }),
  });
  const reader = new Kysely<Database>({
    dialect: new ImmediateSqliteDialect({
      database: new SqliteStatements(readerDatabase),
      inTransaction,
      async run(_sql, statement) {
        files.assertPresentLately();
        return statement().catch(rethrow);
      },
    }),
  });
  return {
    dialect: 'sqlite',
    writer,
    reader,
    prepareRead: (query) => prepareSqliteRead(readerDatabase, { files, snapshot }, query),
    enforceLimits: state.enforceLimits,
    async check() {
      readerDatabase.prepare('select 1').get();
      await state.check();
    },
    async close() {
      erasure.close();
      // kysely closes only connections that it has used, so the files are closed here as well. The
      // writer is the last: a connection that cannot write would leave the log behind.
      await reader.destroy();
      readerDatabase.close();
      await sync.close();
      await writer.destroy();
      database.close();
    },
  };
}

type StateParts = {
  database: Sqlite.Database;
  files: SqliteFiles;
  erasure: SqliteErasure;
  sync: SqliteSync;
  snapshot: SqliteSnapshot;
};

/** Guards the statements of the writing connection and remembers why the last ones failed. */
function createState({ database, files, erasure, sync, snapshot }: StateParts) {
  const lock = new SqliteLock(MIGRATING_FOR_MS);
  let failure: { outage: Outage; atMs: number } | null = null;
  const readChanges = database.prepare<[], number>('select total_changes()').pluck();
  let durableChanges = readChanges.get()!;
  const runWrite = async <Result>(sql: string, statement: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await lock.whileLocked(() => {
        // After each wait again: a move may have ended. Within a transaction none can begin, and a
        // rollback must always end it; but what a commit writes must be found again.
        if (!database.inTransaction || sql === 'commit') files.assertPresent();
        // A commit can empty a long log only as far as no read transaction is older.
        snapshot.end();
        erasure.beforeStatement(sql);
        return statement();
      });
      if (!sql.startsWith('select')) lock.written();
      erasure.afterStatement(sql);
      return result;
    } catch (error) {
      const outage = outageOf(error);
      if (outage !== null) failure = { outage, atMs: performance.now() };
      throw translateError(error);
    }
  };
  return {
    runWrite,
    async afterWrites() {
      // Changes that other transactions have just written count too, because this one may have read
      // them. Most transactions look for work and find none; a disk that sleeps must not wake for
      // them.
      const changes = readChanges.get()!;
      if (changes <= durableChanges) return;
      await sync.toDisk();
      durableChanges = Math.max(durableChanges, changes);
    },
    enforceLimits: () => void (lock.limitMs = LOCKED_FOR_MS),
    async check() {
      files.assertPresent();
      files.assertSpace();
      sync.assertWorking();
      // Within a transaction the lock is ours.
      await lock.whileLocked(() => {
        if (!database.inTransaction) database.exec('begin immediate; rollback');
      });
      lock.written();
      if (failure !== null && performance.now() - failure.atMs < REPORT_FAILURE_MS) throw outageError(failure.outage);
    },
  };
}

function prepareSqliteRead<Row>(
  database: Sqlite.Database,
  { files, snapshot }: Pick<StateParts, 'files' | 'snapshot'>,
  query: CompiledQuery<Row>,
): ReadFirst<Row> {
  const statement = database.prepare<[string], Row>(query.sql);
  return (parameter) => {
    files.assertPresentLately();
    try {
      snapshot.use();
      return statement.get(parameter);
    } catch (error) {
      return rethrow(error);
    }
  };
}

function rethrow(error: unknown): never {
  throw translateError(error);
}

/**
 * Switches to WAL. That needs the file exclusively and does not wait for it, unlike other
 * statements, so it is repeated when two processes start together.
 */
async function useWriteAheadLog(database: Sqlite.Database): Promise<void> {
  const lock = new SqliteLock(MIGRATING_FOR_MS);
  await lock.whileLocked(() => void database.pragma('journal_mode = WAL'));
}
