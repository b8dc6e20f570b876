import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The models chosen at acceptance. Null for transcriptions accepted before. */
export const transcriptionPlan: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('transcriptions').addColumn('plan', 'text').execute();
  },
};
