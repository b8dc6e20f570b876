import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { openStore } from './open-store.ts';
import { SqliteSnapshot } from './sqlite-snapshot.ts';

const SHA256 = 'a'.repeat(64);

async function openStoreWithKey(dataDir: string) {
  const store = await openStore({ databaseUrl: null, dataDir });
  const account = await store.accounts.create({ name: 'reader', plan: 'pro' });
  const key = await store.keys.create(account.id, { name: 'key', prefix: 'jyut_', sha256: SHA256, scopes: ['stt'] });
  return { store, keyId: key.id };
}

test('reads of a turn are of one moment, until it is ended', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'some.db');
  const writer = new Sqlite(path);
  writer.pragma('journal_mode = WAL');
  writer.exec('create table things (id integer); insert into things values (1)');
  const reader = new Sqlite(path, { readonly: true });
  try {
    const snapshot = new SqliteSnapshot(reader);
    const count = reader.prepare('select count(*) from things').pluck();
    const read = () => {
      snapshot.use();
      return count.get();
    };
    expect(read()).toBe(1);
    writer.exec('insert into things values (2)');
    expect(read()).toBe(1);
    snapshot.end();
    expect(read()).toBe(2);
    writer.exec('insert into things values (3)');
    await nextTurn();
    expect(reader.inTransaction).toBe(false);
    expect(read()).toBe(3);
  } finally {
    reader.close();
    writer.close();
  }
});

test('a read of the next turn sees what another process has written', async () => {
  await using folder = await temporaryFolder();
  const { store, keyId } = await openStoreWithKey(folder.path);
  const other = new Sqlite(join(folder.path, 'jyutsing.db'));
  try {
    await nextTurn();
    expect((await store.keys.findByHash(SHA256))?.key.id).toBe(keyId);
    other.exec('update api_keys set revoked = 1');
    await nextTurn();
    expect(await store.keys.findByHash(SHA256)).toBeNull();
  } finally {
    other.close();
    await store.close();
  }
});

test('a read leaves no transaction open that would keep the log from being emptied', async () => {
  await using folder = await temporaryFolder();
  const { store } = await openStoreWithKey(folder.path);
  const other = new Sqlite(join(folder.path, 'jyutsing.db'));
  try {
    await store.keys.findByHash(SHA256);
    await nextTurn();
    expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([expect.objectContaining({ busy: 0 })]);
  } finally {
    other.close();
    await store.close();
  }
});

test('the log begins again when it is long, though there is a read before each write', async () => {
  await using folder = await temporaryFolder();
  const { store } = await openStoreWithKey(folder.path);
  try {
    for (let index = 0; index < 200; index += 1) {
      await nextTurn();
      await store.keys.findByHash(SHA256);
      await store.videoCache.save('key', String(index % 10).repeat(100_000), Date.now() + 60_000);
    }
    // SQLite moves the log into the database at 1,000 pages of 4 kB.
    expect(statSync(join(folder.path, 'jyutsing.db-wal')).size).toBeLessThan(5_000_000);
  } finally {
    await store.close();
  }
});
