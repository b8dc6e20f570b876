import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For the sum of the kept recordings of an account, without reading its records. */
export const keptAudio: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('transcriptions_by_blob')
      .on('transcriptions')
      .columns(['account_id', 'blob_key', 'size_bytes'])
      .execute();
  },
};
