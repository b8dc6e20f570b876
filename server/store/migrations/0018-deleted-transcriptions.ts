import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The ids of deleted transcriptions, under which no other is made while anything may know them. */
export const deletedTranscriptions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('deleted_transcriptions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('deleted_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('deleted_transcriptions_by_time')
      .on('deleted_transcriptions')
      .columns(['deleted_at_ms'])
      .execute();
  },
};
