import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { openBlobs } from '#store/blobs.ts';
import type { Store } from '#store/store.ts';
import { databasesToTest, type TestedDatabase } from '#testbed/servers/postgres.ts';
import { S3_BUCKET, startS3 } from '#testbed/servers/s3-server.ts';
import { openTestStore } from '#test/test-store.ts';
import { newRecord } from '#test/transcription-records.ts';
import { handOverBlobs, hasBlobs } from './has-blobs.ts';

const KEY = { name: 'first', scopes: [], prefix: 'jyut_', sha256: 'x' };
const ending: (() => Promise<unknown>)[] = [];
let dataDir: string;
let folder: BlobStore;
let bucket: BlobStore;
let blobs: BlobStore;
let warnings: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
  ending.push(() => rm(dataDir, { recursive: true }));
  const s3 = await startS3(join(dataDir, 's3'));
  ending.push(() => s3.stop());
  folder = await openBlobs({ dataDir, s3: null });
  bucket = await openBlobs({ dataDir, s3: optionsFor(s3.port) });
});
beforeEach(() => void (warnings = []));
afterAll(async () => {
  for (const end of ending.toReversed()) await end();
});

async function open(database: TestedDatabase | undefined, hasAccount = true): Promise<Store> {
  const opened = await openTestStore(database);
  ending.push(() => opened.close());
  if (hasAccount) await opened.store.accounts.createFirst({ name: 'an account', plan: 'pro', key: KEY });
  return opened.store;
}

const ask = (store: Store) => {
  const logger = { info() {}, warn: (sentence: string) => void warnings.push(sentence) };
  return hasBlobs({ store, blobs, logger: logger as never });
};
const note = async () => (await text(await blobs.readStream('database'))).trim();
const put = async (key: string) => {
  const path = join(dataDir, 'upload');
  await writeFile(path, 'sound');
  await blobs.adopt(path, key);
};
const write = (content: string) => blobs.writeText('database', `${content}\n`, { isNew: false });

describe.each(databasesToTest())('for a database on $name', (database) => {
  let [store, other, source]: Store[] = [];
  beforeAll(async () => {
    [store, other, source] = [await open(database), await open(database), await open(undefined)];
  });

  describe.each(['folder', 'bucket'])('blobs in a %s', (kind) => {
    beforeEach(async () => {
      blobs = kind === 'folder' ? folder : bucket;
      await blobs.delete('database');
    });

    test('are its own from the second look on, if it was the first to ask', async () => {
      const first = [await ask(store!), await ask(other!)];
      expect([first, await ask(store!), await ask(other!)]).toEqual([[false, false], true, false]);
      expect(await note()).toBe(store!.databaseId);
      expect(warnings).toHaveLength(2);
      expect(warnings[0]).toMatch(/^another database has the blobs .* delete the blob "database"/);
    });

    test('stay its own when the version before wrote the dialect and the first account', async () => {
      await write(`${store!.dialect} ${await store!.accounts.firstId()}`);
      expect([await ask(store!), await note()]).toEqual([false, store!.databaseId]);
      expect(await ask(store!)).toBe(true);
    });

    test('are those of another when the note has another dialect or account, or is damaged', async () => {
      const account = await store!.accounts.firstId();
      const dialect = database.name === 'sqlite' ? 'postgres' : 'sqlite';
      const notes = [`${dialect} ${account}`, `${store!.dialect} other`, crypto.randomUUID(), store!.dialect];
      for (const content of notes) {
        await write(content);
        expect([await ask(store!), await ask(store!), await note()]).toEqual([false, false, content]);
      }
    });

    test('are taken when the note is empty, as a full disk leaves it', async () => {
      await write('');
      expect([await ask(store!), await note(), await ask(store!)]).toEqual([false, store!.databaseId, true]);
    });

    test('are those of another when it has a record of none of them', async () => {
      await put('uploads/unknown');
      const sample = `voices/${crypto.randomUUID()}.wav`;
      await put(sample);
      expect([await ask(store!), await ask(store!)]).toEqual([false, false]);
      await expect(note()).rejects.toMatchObject({ code: 'not_found' });
      expect(warnings[0]).toContain(`write "${store!.databaseId}" into the blob "database"`);
      await put('uploads/known');
      const { id: accountId } = await store!.accounts.create({ name: 'other', plan: 'pro' });
      await store!.transcriptions.insert(newRecord(accountId, { blobKey: 'uploads/known' }));
      expect([await ask(store!), await ask(store!)]).toEqual([false, true]);
      for (const key of ['uploads/unknown', 'uploads/known', sample]) await blobs.delete(key);
      await store!.accounts.delete(accountId);
    });

    test('are taken from the database that was moved here, until they were its own', async () => {
      const moved = await open(database);
      const { databaseId } = source!;
      const notes = [databaseId, `sqlite ${await moved.accounts.firstId()}`];
      await moved.transaction(({ identity }) => identity.noteMove({ databaseId, sinceMs: 5 }));
      expect(await moved.identity.find()).toEqual({ databaseId: moved.databaseId, sinceMs: 5, movedFrom: databaseId });
      for (const content of notes) {
        await write(content);
        expect([await ask(moved), await note()]).toEqual([false, moved.databaseId]);
      }
      expect([await ask(moved), (await moved.identity.find()).movedFrom]).toEqual([true, null]);
      // Somebody went back to the source, and gave it the blobs.
      await write(databaseId);
      expect([await ask(moved), await note()]).toEqual([false, databaseId]);
    });

    test('go to the database to which another was moved, and never back by themselves', async () => {
      const { dialect, databaseId } = source!;
      const from = { dialect, databaseId, account: await source!.accounts.firstId() };
      await ask(source!);
      expect(await handOverBlobs(blobs, { ...from, databaseId: other!.databaseId }, store!)).toBe(false);
      expect([await ask(source!), await handOverBlobs(blobs, from, store!)]).toEqual([true, true]);
      expect([await ask(source!), await ask(store!), await ask(other!)]).toEqual([false, true, false]);
      // Somebody went back to the source and moves again, without taking the blobs back.
      expect([await handOverBlobs(blobs, from, other!), await ask(store!)]).toEqual([false, true]);
      await blobs.delete('database');
      expect([await handOverBlobs(blobs, from, other!), await ask(other!)]).toEqual([true, true]);
      await write(`sqlite ${from.account}`);
      expect([await handOverBlobs(blobs, from, store!), await ask(store!)]).toEqual([true, true]);
    });
  });
});

test('a database without an account takes no blobs', async () => {
  blobs = folder;
  await blobs.delete('database');
  expect(await ask(await open(undefined, false))).toBe(false);
  await expect(note()).rejects.toMatchObject({ code: 'not_found' });
});

test('of two databases that ask at the same moment, one has the blobs', async () => {
  blobs = folder;
  const stores = [await open(undefined), await open(undefined)];
  for (let round = 0; round < 20; round += 1) {
    await blobs.delete('database');
    expect(await Promise.all(stores.map(ask))).toEqual([false, false]);
    expect((await Promise.all(stores.map(ask))).filter(Boolean)).toHaveLength(1);
  }
});

function optionsFor(port: number) {
  const endpoint = `http://127.0.0.1:${port}`;
  return { bucket: S3_BUCKET, endpoint, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
}
