import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How often the process of a job died; counted apart from the failures of its handler. */
export const jobDeaths: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('jobs')
      .addColumn('deaths', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
