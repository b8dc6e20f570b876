import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The model that a voice was made for; null for the best one. */
export const voiceEngine: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('voices').addColumn('engine', 'text').execute();
  },
};
