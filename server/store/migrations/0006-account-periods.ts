import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { quotaPeriod } from '@jyutsing/contracts/quota-period';
import type { Database } from '#store/database-types.ts';

/** Ids in one statement; both databases take more. */
const ACCOUNTS_AT_A_TIME = 500;

/**
 * Quota periods per account, the process that holds a reservation, and the cache of video
 * summaries.
 */
export const accountPeriods: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await carryOver(db as Kysely<Database>, Date.now());
    // One column per statement, as SQLite requires.
    await db.schema.alterTable('quota_reservations').addColumn('worker_id', 'text').execute();
    await db.schema
      .alterTable('quota_reservations')
      .addColumn('given_back', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('quota_reservations_by_worker')
      .on('quota_reservations')
      .columns(['worker_id'])
      .execute();
    await db.schema
      .createTable('video_cache')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('video_cache_by_expiry').on('video_cache').columns(['expires_at_ms']).execute();
  },
};

/**
 * Moves the usage of this calendar month, so far the period of all accounts, to the current period
 * of each account. Open reservations move too, so that settling them finds the usage; those of
 * earlier months stay.
 */
async function carryOver(db: Kysely<Database>, nowMs: number): Promise<void> {
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'created_at_ms'])
    .where('id', 'in', db.selectFrom('quota_usage').select('account_id').where('period', '=', month))
    .execute();
  const byPeriod = Map.groupBy(accounts, (account) => quotaPeriod(account.created_at_ms, nowMs).period);
  for (const [period, itsAccounts] of byPeriod) {
    const ids = itsAccounts.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += ACCOUNTS_AT_A_TIME) {
      const batch = ids.slice(start, start + ACCOUNTS_AT_A_TIME);
      for (const table of ['quota_usage', 'quota_reservations'] as const) {
        await db
          .updateTable(table)
          .set({ period })
          .where('period', '=', month)
          .where('account_id', 'in', batch)
          .execute();
      }
    }
  }
}
