import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { DatabaseConnection, DialectAdapter, Driver, SqliteDatabase } from 'kysely';

/** Runs every statement of a connection. */
type RunStatement = <Result>(sql: string, statement: () => Promise<Result>) => Promise<Result>;

type Options = {
  database: SqliteDatabase;
  /** Whether a transaction is open: SQLite itself rolls back after some errors. */
  inTransaction(): boolean;
  run: RunStatement;
  /** Throws why the connection cannot be used now. */
  beforeUse?(): void;
  /** Called after the use of the connection, which others can use meanwhile; its caller waits. */
  afterUse?(): Promise<void>;
};

/**
 * Gives the connection to one user after the other, and begins transactions as writers. A plain
 * BEGIN takes the write lock at its first write and fails at once if another process wrote since
 * its first read (SQLITE_BUSY_SNAPSHOT, where no timeout helps).
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #options: Options;
  readonly #guarded = new WeakSet<DatabaseConnection>();
  #lastUse = Promise.resolve();
  #endUse = () => {};

  constructor(options: Options) {
    super({ database: options.database });
    this.#options = options;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#options.beforeUse?.();
    const useBefore = this.#lastUse;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastUse = promise;
    await useBefore;
    this.#endUse = resolve;
    const connection = await super.acquireConnection();
    if (this.#guarded.has(connection)) return connection;
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, options) =>
      this.#options.run(query.sql, () => execute(query, options)) as ReturnType<typeof execute<never>>;
    this.#guarded.add(connection);
    return connection;
  }

  override async releaseConnection(): Promise<void> {
    const afterUse = this.#options.afterUse?.();
    this.#endUse();
    await afterUse;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Otherwise the failure of this statement would hide the error that caused the rollback.
    if (this.#options.inTransaction()) await super.rollbackTransaction(connection);
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

  /** kysely's own turns would include the wait for the disk; the driver above has shorter ones. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #options: Options;

  constructor(options: Options) {
    super({ database: options.database });
    this.#options = options;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#options);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlSqliteAdapter();
  }
}
