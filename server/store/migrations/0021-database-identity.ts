import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The id of this database. A move to another gives it none; a backup has the same. */
export const databaseIdentity: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('database_identity')
      .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
      .addColumn('database_id', 'text', (c) => c.notNull())
      .execute();
    await sql`insert into database_identity (id, database_id) values (1, ${randomUUID()})`.execute(db);
  },
};
