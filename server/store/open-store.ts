import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import { createAccountRepository } from './accounts.ts';
import { createChargedRequestRepository } from './charged-requests.ts';
import { createCorpusRepository } from './corpora.ts';
import { databasePathIn } from './database-path.ts';
import { prepareReadWith } from './database-types.ts';
import type { Connection, Database, OpenedConnection } from './database-types.ts';
import { createIdempotencyKeyRepository } from './idempotency-keys.ts';
import { createIdentityRepository } from './identity.ts';
import { createJobClaimRepository, createJobRepository, createFairQueueRepository } from './jobs.ts';
import { createApiKeyRepository } from './keys.ts';
import { migrate } from './migrations/migrate.ts';
import { refuseMoved } from './moved-database.ts';
import { openPostgres } from './postgres.ts';
import { createQuotaRepository } from './quotas.ts';
import { openSqlite } from './sqlite.ts';
import { describeFullDisk } from './sqlite-files.ts';
import type { Repositories, Store, Transaction } from './store.ts';
import { createSpeakerRegisterRepository } from './speaker-registers.ts';
import { createStoredTextRepository } from './stored-texts.ts';
import { createTranscriptSearchRepository } from './transcript-search.ts';
import { createTranscriptionRepository } from './transcriptions.ts';
import { createTranslationRepository } from './translations.ts';
import { createVideoCacheRepository } from './video-cache.ts';
import { createVoiceRepository } from './voices.ts';
import { createWebhookSecretRepository } from './webhook-secrets.ts';
import { createWorkerRepository } from './workers.ts';

/** `isMove`: a database is moved into the PostgreSQL database, which may be slow. */
type Options = { databaseUrl: string | null; dataDir: string; isMove?: boolean };

/**
 * Opens PostgreSQL if there is a URL, otherwise SQLite in `dataDir`, and migrates it first. Throws
 * when the database cannot be reached or migrated, or was moved to PostgreSQL, and leaves nothing
 * open.
 */
export async function openStore(options: Options): Promise<Store> {
  refuseMoved(options);
  try {
    return await open(options);
  } catch (error) {
    throw options.databaseUrl === null ? describeFullDisk(databasePathIn(options.dataDir), error) : error;
  }
}

async function open(options: Options): Promise<Store> {
  const connection =
    options.databaseUrl === null ? await openSqlite(options.dataDir) : await openPostgres(options.databaseUrl, options);
  const processId = randomUUID();
  let databaseId: string;
  try {
    await migrate(connection);
    ({ databaseId } = await createIdentityRepository(connection).find());
  } catch (error) {
    await connection.close();
    // A move may have had the lock that a migration waits for.
    refuseMoved(options);
    throw error;
  }
  connection.enforceLimits();
  return {
    dialect: connection.dialect,
    databaseId,
    databaseUrl: options.databaseUrl,
    processId,
    ...(await openSharedLimits(connection, processId)),
    ...createRepositories(connection, processId),
    transaction: (work) => runTransaction(connection, processId, work),
    check: checkOnceAtATime(connection),
    close: () => connection.close(),
  };
}

/** Imported only when needed: SQLite belongs to one machine, where one process answers. */
async function openSharedLimits(
  connection: Connection,
  processId: string,
): Promise<Pick<Store, 'sharedRates' | 'sharedUses'>> {
  if (connection.dialect === 'sqlite') return { sharedRates: null, sharedUses: null };
  const [{ createSharedRates }, { createSharedUses }] = await Promise.all([
    import('./shared-rates.ts'),
    import('./shared-uses.ts'),
  ]);
  return { sharedRates: createSharedRates(connection), sharedUses: createSharedUses(connection, processId) };
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
      ...createRepositories(inside, processId),
      raw: {
        executeSql: (text, values = []) => executeSql(transaction, text, values),
        afterCommit: (action) => void afterCommit.push(action),
      },
    });
  });
  for (const action of afterCommit) action();
  return result;
}

/** Calls during a check wait for the same one: each is a request of a monitor without a key. */
function checkOnceAtATime(connection: OpenedConnection): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= connection.check().finally(() => (running = null)));
}

async function executeSql(
  transaction: Kysely<Database>,
  text: string,
  values: readonly unknown[],
): Promise<{ rows: unknown[] }> {
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
  return { rows };
}

function createRepositories(connection: Connection, processId: string): Repositories {
  return {
    accounts: createAccountRepository(connection),
    keys: createApiKeyRepository(connection),
    quotas: createQuotaRepository(connection, processId),
    transcriptions: createTranscriptionRepository(connection),
    transcriptSearch: createTranscriptSearchRepository(connection),
    translations: createTranslationRepository(connection),
    storedText: createStoredTextRepository(connection),
    idempotencyKeys: createIdempotencyKeyRepository(connection),
    chargedRequests: createChargedRequestRepository(connection),
    webhookSecrets: createWebhookSecretRepository(connection),
    speakerRegisters: createSpeakerRegisterRepository(connection),
    corpora: createCorpusRepository(connection),
    voices: createVoiceRepository(connection),
    videoCache: createVideoCacheRepository(connection),
    jobs: createJobRepository(connection),
    claims: createJobClaimRepository(connection),
    fairQueue: createFairQueueRepository(connection),
    workers: createWorkerRepository(connection),
    identity: createIdentityRepository(connection),
  };
}
