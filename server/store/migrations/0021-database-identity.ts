import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The id of this database and the time of its first account, or of now. A move gives the new
 * database the time of the old one, and its id as `moved_from`; a backup has the same of all.
 */
export const databaseIdentity: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('database_identity')
      .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
      .addColumn('database_id', 'text', (c) => c.notNull())
      .addColumn('since_ms', 'bigint', (c) => c.notNull())
      .addColumn('moved_from', 'text')
      .execute();
    await sql`
      insert into database_identity (id, database_id, since_ms)
      values (1, ${randomUUID()}, coalesce((select min(created_at_ms) from accounts), ${Date.now()}))
    `.execute(db);
  },
};
