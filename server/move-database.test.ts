import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thisProcess } from '@jyutsing/system/process-host';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import { openDatabaseProxy, type DatabaseProxy } from '#testbed/servers/tcp-proxy.ts';
import { newRecord } from '#test/transcription-records.ts';
import { createAdministration } from './features/accounts/administration.ts';
import { hasBlobs } from './jobs/has-blobs.ts';
import { moveDatabase } from './move-database.ts';
import { openBlobs } from './store/blobs.ts';
import { openStore } from './store/open-store.ts';
import { createLogger } from './telemetry/logger.ts';

const KEY = { name: 'first', scopes: [], prefix: 'jyut_', sha256: 'x' };
const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

describe.skipIf(postgres.length === 0)('moving a database', () => {
  let dataDir: string;
  let target: OpenedDatabase;
  let proxy: DatabaseProxy;
  let accountId: string;
  let blobs: BlobStore;
  let leftBlobs: number;

  beforeEach(async () => {
    leftBlobs = 0;
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-move-'));
    blobs = await openBlobs({ dataDir, s3: null });
    const source = await openSource();
    accountId = (await source.accounts.create({ name: 'one', plan: 'free' })).id;
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
  const openTarget = () => openStore({ databaseUrl: target.databaseUrl, dataDir });
  const isNoted = () => existsSync(join(dataDir, 'jyutsing.db.moved'));
  const move = (databaseUrl = proxy.databaseUrl, onTable = (_table: string) => {}) =>
    moveDatabase({
      dataDir,
      databaseUrl,
      classes: { own: 'default', byModel: {} },
      blobs,
      isTrial: false,
      onProgress: onTable,
      onUncertain() {},
      onBlobsLeft: () => void (leftBlobs += 1),
    });

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client(target.databaseUrl ?? '');
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    await client.end();
    return rows;
  }

  /** Runs PL/pgSQL when a new account is committed. */
  async function atCommit(body: string): Promise<void> {
    await (await openTarget()).close();
    await query(`create function at_commit() returns trigger language plpgsql as $$ begin ${body} return null; end $$`);
    await query(`create constraint trigger at_commit after insert on accounts deferrable initially deferred
      for each row execute function at_commit()`);
  }
  const LOSE_CONNECTION = 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1);';

  test('is done when its commit was done, but not answered', async () => {
    proxy.loseAnswer('insert into accounts', 'commit');
    expect(await move()).toMatchObject({ rows: { accounts: 1 } });
    await expect(openSource()).rejects.toThrow('was moved to PostgreSQL');
  });

  test('can be repeated when its commit was not done', async () => {
    await atCommit(LOSE_CONNECTION);
    await expect(move()).rejects.toMatchObject({ code: 'service_unavailable' });
    await (await openSource()).close();
    await query('drop trigger at_commit on accounts');
    expect(await move()).toMatchObject({ rows: { accounts: 1 } });
  });

  test('is not done because a service made its owner in the target', async () => {
    await atCommit(`if new.name = 'one' then ${LOSE_CONNECTION} end if;`);
    const moving = move().then(
      () => 'moved',
      () => 'failed',
    );
    while (!isNoted()) await sleep(5);
    const service = await openTarget();
    await service.accounts.create({ name: 'owner', plan: 'pro' });
    await service.close();
    expect(await moving).toBe('failed');
    expect(isNoted()).toBe(false);
  });

  test('waits for a commit that goes on after the connection was lost', async () => {
    await atCommit('perform pg_sleep(2);');
    const moving = move();
    while (!isNoted()) await sleep(5);
    await sleep(300);
    proxy.reset();
    expect(await moving).toMatchObject({ rows: { accounts: 1 } });
    await expect(openSource()).rejects.toThrow('was moved to PostgreSQL');
  });

  test('gives the target an id of its own, and the blobs of the source', async () => {
    const source = await openSource();
    await blobs.writeText('database', `${source.databaseId}\n`, { isNew: true });
    await source.close();
    await move();
    const moved = await openTarget();
    expect(moved.databaseId).not.toBe(source.databaseId);
    expect(await readFile(join(dataDir, 'blobs/database'), 'utf8')).toBe(`${moved.databaseId}\n`);
    expect(leftBlobs).toBe(0);
    await moved.close();
  });

  test('that was killed before it named the target gives it the blobs at its first look', async () => {
    const source = await openSource();
    await source.accounts.delete(accountId);
    await source.accounts.createFirst({ name: 'one', plan: 'free', key: KEY });
    const { databaseId, sinceMs } = await source.identity.find();
    await source.close();
    await move();
    // As when it is killed after the commit, or a folder is copied into a bucket after the move.
    await blobs.writeText('database', `${databaseId}\n`, { isNew: false });
    const moved = await openTarget();
    const look = () => hasBlobs({ store: moved, blobs, logger: createLogger('silent') });
    expect((await moved.identity.find()).sinceMs).toBe(sinceMs);
    expect([await look(), await look()]).toEqual([false, true]);
    await moved.close();
  });

  test('says when another database than the source has the blobs, and leaves them to it', async () => {
    await blobs.writeText('database', 'another', { isNew: true });
    await move();
    expect(await readFile(join(dataDir, 'blobs/database'), 'utf8')).toBe('another');
    expect(leftBlobs).toBe(1);
  });

  test('waits for a large record on a slow link, behind which other answers wait', async () => {
    const source = await openSource();
    await source.transcriptions.insert(newRecord(accountId, { status: 'completed' }));
    await source.close();
    await (await openTarget()).close();
    // Longer than a statement of a request may take, and than its connection may be silent.
    await query(`create function be_slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(13); return new; end $$`);
    await query('create trigger be_slow before insert on transcriptions for each row execute function be_slow()');
    const moving = move(proxy.databaseUrl, (table) => {
      if (table !== 'transcriptions') return;
      proxy.freeze();
      setTimeout(() => proxy.resume(), 3_000);
    });
    expect(await moving).toMatchObject({ rows: { transcriptions: 1 } });
  });

  test('to two targets at the same time is done once', async () => {
    const second = await postgres[0]!.open();
    const outcomes = await Promise.allSettled([move(target.databaseUrl!), move(second.databaseUrl!)]);
    await second.close();
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  /** A process with the pid of this one that was seen so long ago. */
  function insertWorker(seenAgoMs: number): void {
    const database = new Sqlite(join(dataDir, 'jyutsing.db'));
    database
      .prepare('insert into workers (id, host, pid, beat_at_ms) values (?, ?, ?, ?)')
      .run('suspended', thisProcess().host, process.pid, Date.now() - seenAgoMs);
    database.close();
  }

  test('is refused while a process of this machine lives, also a suspended one', async () => {
    insertWorker(1_000 * process.uptime());
    await expect(move()).rejects.toThrow('Stop the service first');
  });

  test('is not stopped by a program that has the pid of a process that ended', async () => {
    insertWorker(24 * 3_600_000);
    expect((await move()).rows['accounts']).toBe(1);
  });

  test('ends the use of the old database by whoever had opened it before', async () => {
    const command = await openSource();
    const administration = createAdministration(command, {});
    await command.transcriptions.insert(newRecord(accountId, { status: 'completed', blobKey: 'kept/a' }));
    const { key } = await createAdministration(command, { free: {} } as never).createKey(accountId, {});
    const deleted: string[] = [];
    const blobs = { delete: (key: string) => Promise.resolve(void deleted.push(key)) };
    let writing: Promise<PromiseSettledResult<unknown>[]> | null = null;
    await move(proxy.databaseUrl, (table) => {
      if (table === 'workers')
        writing ??= Promise.allSettled([
          administration.revokeKey(key.id),
          administration.deleteAccount(accountId, blobs),
          command.accounts.create({ name: 'late', plan: 'free' }),
        ]);
    });
    const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'service_unavailable' }) };
    expect(await writing!).toEqual([refused, refused, refused]);
    await expect(command.accounts.list()).rejects.toThrow('was moved to PostgreSQL');
    await expect(command.check()).rejects.toThrow('was moved to PostgreSQL');
    await command.close();
    expect(deleted).toEqual([]);
    expect(await query('select revoked from api_keys')).toEqual([{ revoked: 0 }]);
  });
});
