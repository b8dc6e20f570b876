import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which records were submitted together, and in which order. */
export const batches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // One column per statement, as SQLite requires.
    await db.schema.alterTable('transcriptions').addColumn('batch_id', 'text').execute();
    await db.schema.alterTable('transcriptions').addColumn('batch_position', 'integer').execute();
    await db.schema
      .createIndex('transcriptions_by_batch')
      .on('transcriptions')
      .columns(['account_id', 'batch_id'])
      .execute();
  },
};
