import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Accounts, keys, quotas and transcriptions. Uses column types with the same meaning in SQLite and
 * PostgreSQL.
 */
export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createAccounts(db);
    await createQuotas(db);
    await createTranscriptions(db);
  },
};

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('plan', 'text', (c) => c.notNull())
    .addColumn('blocked', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  // At most one row ever: of two processes that start on an empty database only one can insert it.
  await db.schema
    .createTable('first_account')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('revoked', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id', 'created_at_ms']).execute();
}

async function createQuotas(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quota_usage')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('unit', 'text', (c) => c.notNull())
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('used', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('quota_usage_key', ['account_id', 'unit', 'period'])
    .execute();
  await db.schema
    .createTable('quota_reservations')
    .addColumn('request_id', 'text', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('unit', 'text', (c) => c.notNull())
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
}

async function createTranscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('transcriptions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('blob_key', 'text')
    .addColumn('content_sha256', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('duration_ms', 'bigint', (c) => c.notNull())
    .addColumn('output_language', 'text', (c) => c.notNull())
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('processed_ms', 'bigint', (c) => c.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('processing_seconds', 'double precision')
    .addColumn('credits_used', 'bigint')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_at_ms', 'bigint')
    .addColumn('progress_at_ms', 'bigint')
    .addColumn('finished_at_ms', 'bigint')
    .execute();
  await db.schema
    .createIndex('transcriptions_by_account')
    .on('transcriptions')
    .columns(['account_id', 'created_at_ms', 'id'])
    .execute();
  await db.schema
    .createIndex('transcriptions_by_status')
    .on('transcriptions')
    .columns(['status', 'progress_at_ms'])
    .execute();
}
