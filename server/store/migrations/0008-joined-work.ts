import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Simultaneous records of the same work, and what unfinished work has already cost. `work_key`: the
 * cache key while this record's job does the work; `joined_to`: the record whose outcome this one
 * gets. `recognized_ms`: audio that any run has recognized; `handed_out_ms`: the end of the text
 * that a client has received before the work ended.
 */
export const joinedWork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // One column per statement, as SQLite requires.
    for (const name of ['work_key', 'joined_to']) {
      await db.schema.alterTable('transcriptions').addColumn(name, 'text').execute();
    }
    for (const name of ['recognized_ms', 'handed_out_ms']) {
      await db.schema
        .alterTable('transcriptions')
        .addColumn(name, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    }
    // Decides which of simultaneous requests does the work. Null keys are all different.
    await db.schema
      .createIndex('transcriptions_by_work')
      .unique()
      .on('transcriptions')
      .columns(['account_id', 'work_key'])
      .execute();
    await db.schema.createIndex('transcriptions_by_leader').on('transcriptions').columns(['joined_to']).execute();
  },
};
