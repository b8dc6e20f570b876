import { PostgresAdapter, sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Running requests of each account. `holders` is an object from processes (ids of `workers`) to
 * their numbers of requests. Not logged: after a crash of the database it is empty until processes
 * save their numbers again.
 */
export const concurrentUses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await db.schema
      .createTable('concurrent_uses')
      .modifyFront(sql`unlogged`)
      .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('use', 'text', (c) => c.notNull())
      .addColumn('holders', 'jsonb', (c) => c.notNull())
      .addPrimaryKeyConstraint('concurrent_uses_key', ['account_id', 'use'])
      .execute();
  },
};
