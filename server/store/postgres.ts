import { Kysely, PostgresDialect, PostgresDriver, type DatabaseConnection, type Driver } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';
import { changeError, commitError, outageError, outageOf, translateError, type Outage } from './database-errors.ts';
import { prepareReadWith } from './database-types.ts';
import type { Database, OpenedConnection } from './database-types.ts';
import { disconnect, PostgresWatch } from './postgres-watch.ts';

const INT8_TYPE_ID = 20;
/** Longest wait for a free or a new connection. */
const CONNECT_WITHIN_MS = 5_000;
/** Limits of a connection that waits for no person. */
type Patience = {
  /** Longest statement, on the side of the server, with what is sent before it and answered. */
  statementSeconds: number;
  /**
   * Longest time from one answer to the next on a connection in use. It is longer than the limit of
   * the server, so it ends only connections that were lost without a sign.
   */
  silentForMs: number;
  /** Longest answer to `select 1`. */
  answerWithinMs: number;
};
/**
 * A server on a machine whose processors are all busy may need a second for `select 1`, which needs
 * no disk; requests are refused within two.
 */
const OF_REQUESTS: Patience = { statementSeconds: 10, silentForMs: 12_000, answerWithinMs: 1_700 };
/** Records of many megabytes pass a slow link, and other answers wait behind them. */
const OF_A_MOVE: Patience = { statementSeconds: 600, silentForMs: 602_000, answerWithinMs: 30_000 };
const sessionLimits = ({ statementSeconds }: Patience) =>
  `set statement_timeout = '${statementSeconds}s'; set idle_in_transaction_session_timeout = '30s'`;
const KEEP_ALIVE_AFTER_MS = 5_000;
/** `check` reports a failed write for this long. */
const REPORT_FAILURE_MS = 5_000;

/** Opens a pool of connections to PostgreSQL. `isMove`: a database is moved into it. */
export async function openPostgres(databaseUrl: string, { isMove = false } = {}): Promise<OpenedConnection> {
  const limits = { isEnforced: false, ...(isMove ? OF_A_MOVE : OF_REQUESTS) };
  const pool = openPool(databaseUrl, limits);
  const clients = trackClients(pool, limits);
  const watch = new PostgresWatch(databaseUrl, limits.answerWithinMs, () => clients.disconnectAll());
  let failure: { outage: Outage; atMs: number } | null = null;
  const onError = (error: unknown): never => {
    const outage = outageOf(error);
    // The question of the watch changes nothing, so it does not meet these.
    if (outage === 'full' || outage === 'unwritable') failure = { outage, atMs: performance.now() };
    throw translateError(error);
  };
  const writer = new Kysely<Database>({ dialect: new GuardedPostgresDialect(pool, watch, onError) });
  return {
    dialect: 'postgres',
    writer,
    reader: writer,
    prepareRead: prepareReadWith(writer),
    enforceLimits() {
      limits.isEnforced = true;
      clients.limitAll();
      watch.start();
    },
    async check() {
      await watch.ask();
      watch.assertUp();
      if (failure !== null && performance.now() - failure.atMs < REPORT_FAILURE_MS) throw outageError(failure.outage);
    },
    async close() {
      await watch.stop();
      await writer.destroy();
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

type Limits = Patience & { isEnforced: boolean };

function openPool(databaseUrl: string, limits: Limits): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'jyutsing',
    // As statements, because connection poolers refuse them as parameters of a connection. Requests
    // get the connection when they have run.
    onConnect: async (client) => void (limits.isEnforced && (await client.query(sessionLimits(limits)))),
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
  return pool;
}

/** Ends connections that are silent for too long, and all of them when the server is silent. */
function trackClients(pool: Pool, limits: Limits) {
  const clients = new Set<PoolClient>();
  const timers = new Map<PoolClient, NodeJS.Timeout>();
  pool.on('connect', (client) => {
    clients.add(client);
    // A connection lost between two statements of a transaction: the next statement fails.
    client.on('error', () => {});
    client.on('drain', () => void timers.get(client)?.refresh());
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('acquire', (client) => {
    if (limits.isEnforced) timers.set(client, setTimeout(() => disconnect(client), limits.silentForMs).unref());
  });
  pool.on('release', (_error, client) => {
    clearTimeout(timers.get(client));
    timers.delete(client);
  });
  return {
    disconnectAll: () => clients.forEach(disconnect),
    /** For connections that were opened before, for migrations; their next statements wait. */
    limitAll: () => clients.forEach((client) => client.query(sessionLimits(limits)).catch(() => disconnect(client))),
  };
}

type PostgresConnection = Parameters<PostgresDriver['releaseConnection']>[0];
type OnError = (error: unknown) => never;

/** Statements that change rows. */
const CHANGES: ReadonlySet<string> = new Set([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'MergeQueryNode',
]);

/** Translates errors, and fails at once while the server does not answer. */
class GuardedPostgresDriver extends PostgresDriver {
  readonly #watch: PostgresWatch;
  readonly #onError: OnError;
  readonly #guarded = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  constructor(pool: Pool, watch: PostgresWatch, onError: OnError) {
    super({ pool });
    this.#watch = watch;
    this.#onError = onError;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#watch.assertUp();
    const connection = await this.#watch
      .untilDown(super.acquireConnection(), (late) => this.releaseConnection(late as PostgresConnection))
      .catch(this.#onError);
    if (this.#guarded.has(connection)) return connection;
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, options) =>
      execute(query, options)
        .catch(this.#onError)
        .catch((error: unknown) => {
          const isChange = CHANGES.has(query.query.kind) && !this.#inTransaction.has(connection);
          throw isChange ? changeError(error) : error;
        }) as ReturnType<typeof execute<never>>;
    this.#guarded.add(connection);
    return connection;
  }

  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    await super.beginTransaction(connection, settings);
    this.#inTransaction.add(connection);
  }

  override async commitTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      throw commitError(error);
    } finally {
      this.#inTransaction.delete(connection);
    }
  }

  override async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    // On a lost connection it fails too, which would hide the error that caused the rollback.
    await super.rollbackTransaction(connection).catch(() => {});
    this.#inTransaction.delete(connection);
  }
}

class GuardedPostgresDialect extends PostgresDialect {
  readonly #createDriver: () => Driver;

  constructor(pool: Pool, watch: PostgresWatch, onError: OnError) {
    super({ pool });
    this.#createDriver = () => new GuardedPostgresDriver(pool, watch, onError);
  }

  override createDriver(): Driver {
    return this.#createDriver();
  }
}
