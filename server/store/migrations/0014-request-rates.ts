import { PostgresAdapter, sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Requests of the current minute by account. Not logged: it is empty after a crash of the database,
 * and a request does not wait for the disk.
 */
export const requestRates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await db.schema
      .createTable('request_rates')
      .modifyFront(sql`unlogged`)
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('points', 'integer', (c) => c.notNull())
      .addColumn('expire', 'bigint')
      .execute();
  },
};
