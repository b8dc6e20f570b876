import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';
import { databasesToTest, type OpenedDatabase } from '#test/postgres.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { MIGRATIONS } from './migrate.ts';

const NAME = '0007-transcription-plan';

/** A record as the version before wrote it. */
const insertRecord = (id: string, status: string, result: string | null) =>
  sql`insert into transcriptions (id, account_id, status, content_sha256, size_bytes, options, duration_ms,
      output_language, backend, cache_key, stage, processed_ms, result, processing_seconds, credits_used,
      created_at_ms, started_at_ms, finished_at_ms)
    values (${id}, 'old', ${status}, 'hash', 1000, ${JSON.stringify(newRecord('old').options)}, 2900,
      'cantonese', 'test', ${`key of ${id}`}, 'queued', 0, ${result}, ${result === null ? null : 1.5},
      ${result === null ? null : 3}, 1, ${result === null ? null : 2}, ${result === null ? null : 3})`;

/** Makes the database of the version before, by all earlier migrations, with its records. */
async function makeOldDatabase(databaseUrl: string | null, dataDir: string): Promise<void> {
  const connection = await (databaseUrl === null ? openSqlite(dataDir) : openPostgres(databaseUrl));
  const db = connection.writer as Kysely<unknown>;
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  for (const [name, migration] of Object.entries(MIGRATIONS)) {
    if (name >= NAME) continue;
    await migration.up(db);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-01-01')`.execute(db);
  }
  await sql`insert into accounts (id, name, plan, created_at_ms) values ('old', 'old', 'free', 1)`.execute(db);
  await insertRecord('waiting', 'pending', null).execute(db);
  await insertRecord('done', 'completed', JSON.stringify(newResult())).execute(db);
  await connection.close();
}

describe.each(databasesToTest())('a database of before plans were stored on $name', (database) => {
  let opened: OpenedDatabase;
  let dataDir: string;
  let store: Store;

  beforeAll(async () => {
    opened = await database.open();
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-migration-'));
    await makeOldDatabase(opened.databaseUrl, dataDir);
    store = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
  });
  afterAll(async () => {
    await store.close();
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('keeps a waiting record, which has no plan, and the record can be started', async () => {
    expect(await store.transcriptions.find('waiting')).toMatchObject({
      accountId: 'old',
      status: 'pending',
      plan: null,
      durationMs: 2_900,
      options: newRecord('old').options,
    });
    expect(await store.transcriptions.start('waiting')).toBe(true);
    expect(await store.transcriptions.find('waiting')).toMatchObject({ status: 'processing', plan: null });
  });

  it('keeps a finished record with its text, which still answers the same recording', async () => {
    const done = await store.transcriptions.find('done');
    expect(done).toMatchObject({ status: 'completed', plan: null, result: newResult(), creditsUsed: 3 });
    expect(await store.transcriptions.findFinished('old', 'key of done')).toEqual(done);
  });

  it('stores the plans of new records', async () => {
    const plan = newRecord('old').plan;
    const record = newRecord('old', { plan });
    await store.transcriptions.insert(record);
    expect((await store.transcriptions.find(record.id))?.plan).toEqual(plan);
  });

  it('is migrated once: a second start changes nothing', async () => {
    const second = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
    expect(await second.transcriptions.find('done')).toMatchObject({ status: 'completed', result: newResult() });
    await second.close();
  });
});
