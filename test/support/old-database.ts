import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { MIGRATIONS } from '#server/store/migrations/migrate.ts';
import { openPostgres } from '#server/store/postgres.ts';
import { openSqlite } from '#server/store/sqlite.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';

/**
 * Makes a database as the version before a migration left it, by all earlier migrations, with
 * accounts of these ids and what the statements insert. Then opens it with the current version.
 */
export async function openOldDatabase(
  database: TestedDatabase,
  migration: string,
  accounts: readonly string[],
  statements: readonly RawBuilder<unknown>[],
): Promise<{ store: Store; location: Parameters<typeof openStore>[0]; close(): Promise<void> }> {
  const opened = await database.open();
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-migration-'));
  const connection = await (opened.databaseUrl === null ? openSqlite(dataDir) : openPostgres(opened.databaseUrl));
  const db = connection.writer as Kysely<unknown>;
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  for (const [name, { up }] of Object.entries(MIGRATIONS)) {
    if (name >= migration) continue;
    await up(db);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-01-01')`.execute(db);
  }
  for (const id of accounts) {
    await sql`insert into accounts (id, name, plan, created_at_ms) values (${id}, ${id}, 'free', 1)`.execute(db);
  }
  for (const statement of statements) await statement.execute(db);
  await connection.close();
  const location = { databaseUrl: opened.databaseUrl, dataDir };
  const store = await openStore(location);
  return {
    store,
    location,
    async close() {
      await store.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
