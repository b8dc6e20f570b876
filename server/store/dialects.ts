import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, PostgresDialect, SqliteAdapter, SqliteDialect, SqliteDriver, sql } from 'kysely';
import type { DatabaseConnection, DialectAdapter, Driver, RawBuilder, SqliteDatabase } from 'kysely';
import { Pool, types } from 'pg';
import { prepareReadWith } from './database-types.ts';
import type { Connection, Database, Dialect, ReadFirst } from './database-types.ts';
import { SqliteStatements } from './sqlite-statements.ts';

/** Everything that differs between the two databases. */
export type OpenedConnection = Connection & { close(): Promise<void> };

/**
 * Maximum wait for the write transaction of another process. The wait blocks the event loop, so it
 * is short.
 */
const BUSY_TIMEOUT_MS = 5_000;
const INT8_TYPE_ID = 20;

/**
 * Opens DATA_DIR/jyutsing.db with two connections: one for writing and one for reads outside
 * transactions.
 */
export async function openSqlite(dataDir: string): Promise<OpenedConnection> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'jyutsing.db');
  const database = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  await useWriteAheadLog(database);
  // FULL: an acknowledged request survives a power failure. NORMAL, the default of WAL, may lose
  // the last ones.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // Overwrites deleted content, so deleted texts cannot be found in the file.
  database.pragma('secure_delete = ON');
  const readerDatabase = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS, readonly: true });
  const writer = new Kysely<Database>({
    dialect: new ImmediateSqliteDialect({ database: new SqliteStatements(database) }),
  });
  const reader = new Kysely<Database>({
    dialect: new ImmediateSqliteDialect({ database: new SqliteStatements(readerDatabase) }),
  });
  return {
    dialect: 'sqlite',
    writer,
    reader,
    prepareRead: (query) => prepareSqliteRead(readerDatabase, query),
    async close() {
      // kysely closes only connections that it has used, so the files are closed here as well.
      await Promise.all([writer.destroy(), reader.destroy()]);
      readerDatabase.close();
      database.close();
    },
  };
}

function prepareSqliteRead<Row>(database: Sqlite.Database, query: CompiledQuery<Row>): ReadFirst<Row> {
  const statement = database.prepare<[string], Row>(query.sql);
  return (parameter) => statement.get(parameter);
}

/** Opens a pool of connections to PostgreSQL. */
export async function openPostgres(databaseUrl: string): Promise<OpenedConnection> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: 'jyutsing',
    types: {
      // 64-bit numbers are milliseconds and sizes, far below 2^53; as text, the default of pg, they
      // would compare wrongly.
      getTypeParser: (typeId: number, format?: 'text' | 'binary') =>
        typeId === INT8_TYPE_ID && format !== 'binary' ? Number : types.getTypeParser(typeId, format),
    },
  });
  // Without a listener, an idle connection closed by the server would end the process. The pool
  // replaces it.
  pool.on('error', () => {});
  // Same for a connection lost between two statements of a transaction; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const writer = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    dialect: 'postgres',
    writer,
    reader: writer,
    prepareRead: prepareReadWith(writer),
    close: () => writer.destroy(),
  };
}

/** The clock of the database in milliseconds, for times that several machines compare. */
export function databaseNowMs(dialect: Dialect): RawBuilder<number> {
  return dialect === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** Makes migrating processes wait for one another until the end of the transaction. */
export async function lockForMigration(dialect: Dialect, transaction: Kysely<Database>): Promise<void> {
  // In SQLite the transaction itself (BEGIN IMMEDIATE) is that lock.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(7205759403792794)`.execute(transaction);
}

/**
 * Switches to WAL. That needs the file exclusively and does not wait for it, unlike other
 * statements, so it is repeated when two processes start together.
 */
async function useWriteAheadLog(database: Sqlite.Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt >= 100 || !(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY'))
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * Begins transactions as writers. A plain BEGIN takes the write lock at its first write and fails
 * at once if another process wrote since its first read (SQLITE_BUSY_SNAPSHOT, where no timeout
 * helps).
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/**
 * SQLite can roll back schema changes; the adapter of kysely says otherwise and would migrate
 * outside transactions.
 */
class TransactionalDdlSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(options: { database: SqliteDatabase }) {
    super(options);
    this.#database = options.database;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver({ database: this.#database });
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlSqliteAdapter();
  }
}
