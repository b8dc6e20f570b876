import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { createAccountQueries } from './accounts.ts';
import { createCorpusQueries } from './corpora.ts';
import { prepareReadWith } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { openPostgres, openSqlite } from './dialects.ts';
import { createIdempotencyKeyQueries } from './idempotency-keys.ts';
import { createClaimQueries, createJobQueries, createTurnQueries } from './jobs.ts';
import { createKeyQueries } from './keys.ts';
import { migrate } from './migrations/migrate.ts';
import { createQuotaQueries } from './quotas.ts';
import type { Queries, Store, Transaction } from './store.ts';
import { createTranscriptionQueries } from './transcriptions.ts';
import { createVideoCacheQueries } from './video-cache.ts';
import { createVoiceQueries } from './voices.ts';
import { createWebhookSecretQueries } from './webhook-secrets.ts';
import { createWorkerQueries } from './workers.ts';

/**
 * Opens PostgreSQL when there is an address, SQLite in `dataDir` otherwise, and brings it up to date first.
 * Throws when the database cannot be reached or migrated; nothing stays open then.
 */
export async function openStore(options: { databaseUrl: string | null; dataDir: string }): Promise<Store> {
  const connection =
    options.databaseUrl === null ? await openSqlite(options.dataDir) : await openPostgres(options.databaseUrl);
  const processId = randomUUID();
  try {
    await migrate(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    dialect: connection.dialect,
    databaseUrl: options.databaseUrl,
    processId,
    ...createQueries(connection, processId),
    transaction: (work) => runTransaction(connection, processId, work),
    async ping() {
      await sql`select 1`.execute(connection.reader);
    },
    close: () => connection.close(),
  };
}

async function runTransaction<T>(
  connection: Connection,
  processId: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const afterCommit: (() => void)[] = [];
  const { dialect } = connection;
  const result = await connection.writer.transaction().execute((transaction) => {
    const inside = { dialect, writer: transaction, reader: transaction, prepareRead: prepareReadWith(transaction) };
    return work({
      ...createQueries(inside, processId),
      raw: {
        executeSql: (text, values = []) => executeSql(transaction, text, values),
        afterCommit: (action) => void afterCommit.push(action),
      },
    });
  });
  for (const action of afterCommit) action();
  return result;
}

async function executeSql(
  transaction: Kysely<Database>,
  text: string,
  values: readonly unknown[],
): Promise<{ rows: unknown[] }> {
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
  return { rows };
}

function createQueries(connection: Connection, processId: string): Queries {
  return {
    accounts: createAccountQueries(connection),
    keys: createKeyQueries(connection),
    quotas: createQuotaQueries(connection, processId),
    transcriptions: createTranscriptionQueries(connection),
    idempotencyKeys: createIdempotencyKeyQueries(connection),
    webhookSecrets: createWebhookSecretQueries(connection),
    corpora: createCorpusQueries(connection),
    voices: createVoiceQueries(connection),
    videoCache: createVideoCacheQueries(connection),
    jobs: createJobQueries(connection),
    claims: createClaimQueries(connection),
    turns: createTurnQueries(connection),
    workers: createWorkerQueries(connection),
  };
}
