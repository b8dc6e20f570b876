import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the title and the corrections that a person saved; `edit_version` counts the changes. */
export const transcriptEdits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // One column per statement, as SQLite requires.
    await db.schema.alterTable('transcriptions').addColumn('title', 'text').execute();
    await db.schema.alterTable('transcriptions').addColumn('edit', 'text').execute();
    await db.schema
      .alterTable('transcriptions')
      .addColumn('edit_version', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('transcriptions').addColumn('edited_at_ms', 'bigint').execute();
  },
};
