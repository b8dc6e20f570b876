import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databasesToTest, type OpenedDatabase } from '#test/postgres.ts';
import { openDatabaseProxy, type DatabaseProxy } from '#test/tcp-proxy.ts';
import { moveDatabase } from './move-database.ts';
import { openStore } from './store/open-store.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

let dataDir: string;
let target: OpenedDatabase;
let proxy: DatabaseProxy;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-move-'));
  const source = await openSource();
  await source.accounts.create({ name: 'one', plan: 'free' });
  await source.close();
  target = await postgres[0]!.open();
  proxy = await openDatabaseProxy(target.databaseUrl ?? '');
});
afterEach(async () => {
  await proxy.close();
  await target.close();
  await rm(dataDir, { recursive: true });
});

const openSource = () => openStore({ databaseUrl: null, dataDir });
const move = (uncertainForMs?: number) =>
  moveDatabase({
    dataDir,
    databaseUrl: proxy.databaseUrl,
    classes: { own: 'default', byModel: {} },
    isTrial: false,
    onProgress() {},
    ...(uncertainForMs === undefined ? {} : { uncertainForMs }),
  });

async function query(sql: string): Promise<void> {
  const client = new Client(target.databaseUrl ?? '');
  await client.connect();
  await client.query(sql);
  await client.end();
}

test.skipIf(postgres.length === 0)('a move whose commit was done, but not answered, is done', async () => {
  proxy.loseAnswer('insert into accounts', 'commit');
  expect(await move()).toMatchObject({ rows: { accounts: 1 } });
  await expect(openSource()).rejects.toThrow('was moved to PostgreSQL');
});

test.skipIf(postgres.length === 0)('a move whose commit was not done can be repeated', async () => {
  await (await openStore({ databaseUrl: target.databaseUrl, dataDir })).close();
  await query(`create function end_connection() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`);
  await query(`create constraint trigger at_commit after insert on accounts deferrable initially deferred
    for each row execute function end_connection()`);
  await expect(move(500)).rejects.toMatchObject({ code: 'service_unavailable' });
  await (await openSource()).close();
  await query('drop trigger at_commit on accounts');
  expect(await move()).toMatchObject({ rows: { accounts: 1 } });
});
