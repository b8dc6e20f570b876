import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Database, Dialect } from './database-types.ts';

/** The clock of the database in milliseconds, for times that several machines compare. */
export function databaseNowMs(dialect: Dialect): RawBuilder<number> {
  return dialect === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** Makes migrating processes wait for one another until the end of the transaction. */
export async function lockForMigration(dialect: Dialect, transaction: Kysely<Database>): Promise<void> {
  // In SQLite the transaction itself (BEGIN IMMEDIATE) is that lock.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(7205759403792794)`.execute(transaction);
}
