import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Corpora, cache keys, and the columns for deliveries. */
export const fusionAndDelivery: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await extendTranscriptions(db);
    await createCorpora(db);
    await createDelivery(db);
  },
};

async function extendTranscriptions(db: Kysely<unknown>): Promise<void> {
  // One column per statement, as SQLite requires. The empty key belongs to no request.
  const columns = [
    ['cache_key', ''],
    ['stage', 'queued'],
  ] as const;
  for (const [name, fallback] of columns) {
    await db.schema
      .alterTable('transcriptions')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(fallback))
      .execute();
  }
  await db.schema.alterTable('transcriptions').addColumn('callback_url', 'text').execute();
  await db.schema
    .createIndex('transcriptions_by_cache_key')
    .on('transcriptions')
    .columns(['account_id', 'cache_key', 'status'])
    .execute();
  await db.schema.createIndex('transcriptions_by_end').on('transcriptions').columns(['finished_at_ms']).execute();
}

async function createCorpora(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('corpora')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('entries', 'text', (c) => c.notNull())
    .addColumn('entries_count', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('corpora_by_account')
    .on('corpora')
    .columns(['account_id', 'created_at_ms', 'id'])
    .execute();
}

async function createDelivery(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_secrets')
    .addColumn('account_id', 'text', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  // The key makes two simultaneous requests with the same Idempotency-Key one.
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_sha256', 'text', (c) => c.notNull())
    .addColumn('transcription_id', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'key'])
    .execute();
}
