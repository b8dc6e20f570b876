import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Voices of accounts. Their samples are blobs, `voices/<id>.wav`. */
export const voices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('voices')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      // The normalized name: neither database folds the case of all letters.
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('gender', 'text')
      .addColumn('description', 'text')
      .addColumn('transcript', 'text')
      .addColumn('profile', 'text', (c) => c.notNull())
      .addColumn('sample_duration_ms', 'integer', (c) => c.notNull())
      .addColumn('sample_bytes', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('consented_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('voices_by_account')
      .on('voices')
      .columns(['account_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema.createIndex('voices_by_name').on('voices').columns(['account_id', 'name_key']).execute();
  },
};
