import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The class whose recordings a worker takes; null: none. */
export const queueClasses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('workers').addColumn('queue_class', 'text').execute();
  },
};
