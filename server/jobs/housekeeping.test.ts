import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KEPT_FOLDER } from '@jyutsing/contracts/transcription';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { openQueue } from '#queue/open-queue.ts';
import type { Queue } from '#queue/queue.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { openBlobs } from '#store/blobs.ts';
import type { PrivateVoice } from '#store/repositories/voices.ts';
import type { Store } from '#store/store.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { S3_BUCKET, startS3 } from '#testbed/servers/s3-server.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { createLogger } from '#telemetry/logger.ts';
import { createTranscriptionUpdates } from './transcription-updates.ts';
import { hasBlobs } from './has-blobs.ts';
import { startHousekeeping, type HousekeepingLimits } from './housekeeping.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let opened: TestStore;
let store: Store;
let queue: Queue;
let blobs: BlobStore;
let accountId: string;
beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
  queue = await openQueue({ store });
  blobs = await openBlobs({ dataDir: opened.dataDir, s3: null });
  const key = { name: 'first', scopes: [], prefix: 'jyut_', sha256: 'x' };
  ({ id: accountId } = (await store.accounts.createFirst({ name: 'an account', plan: 'pro', key }))!);
  // It is old enough to have made all blobs of the tests.
  await store.identity.noteMove({ databaseId: 'old', sinceMs: 0 });
  await takeBlobs();
});
afterAll(async () => {
  await queue.close();
  await opened.close();
});

/** The first look of a database takes the blobs, and later ones delete some. */
const takeBlobs = () => hasBlobs({ store, blobs, logger: createLogger('silent') });

/** Runs housekeeping until the condition holds. */
async function cleanUp(limits: Partial<HousekeepingLimits>, until: () => Promise<boolean>): Promise<void> {
  const services = { store, queue, blobs, updates: createTranscriptionUpdates(store), logger: createLogger('silent') };
  const stop = startHousekeeping(services, { stuckAfterMs: DAY_MS, retentionMs: null, ...limits });
  try {
    await expect.poll(until).toBe(true);
  } finally {
    stop();
  }
}

const insert = async (...change: Parameters<typeof newRecord> extends [string, ...infer Rest] ? Rest : never) => {
  const record = newRecord(accountId, ...change);
  await store.transcriptions.insert(record);
  return record;
};
const isThere = async (id: string) => (await store.transcriptions.find(id)) !== null;

/** Stores a blob of this age. */
const put = async (key: string, ageMs: number) => {
  const path = join(opened.dataDir, 'upload');
  await writeFile(path, 'sound');
  await utimes(path, new Date(), new Date(Date.now() - ageMs));
  await blobs.adopt(path, key);
};
const exists = (key: string) => blobs.localPath(key, async () => true).catch(() => false);

test('all final records past their retention are deleted; newer and unfinished ones stay', async () => {
  const finishedAtMs = Date.now() - 8 * DAY_MS;
  const old: string[] = [];
  for (let left = 250; left > 0; left -= 1) {
    old.push((await insert({ status: 'completed', result: newResult(), finishedAtMs, blobKey: null })).id);
  }
  const fresh = await insert({ status: 'completed', result: newResult(), finishedAtMs: Date.now() - 6 * DAY_MS });
  const waiting = await insert({ createdAtMs: finishedAtMs });
  await cleanUp({ retentionMs: 7 * DAY_MS }, async () => !(await isThere(old.at(-1)!)));
  for (const id of old) expect(await isThere(id)).toBe(false);
  expect([await isThere(fresh.id), await isThere(waiting.id)]).toEqual([true, true]);
});

test('remaining audio is deleted with its record', async () => {
  const path = join(opened.dataDir, 'upload');
  await writeFile(path, 'sound');
  await blobs.adopt(path, 'uploads/left-behind');
  const { id } = await insert({ status: 'failed', finishedAtMs: 1, blobKey: 'uploads/left-behind' });
  await cleanUp({ retentionMs: DAY_MS }, async () => !(await isThere(id)));
  await expect.poll(() => exists('uploads/left-behind')).toBe(false);
});

test('old uploads without an unfinished record are deleted; one that waits is not', async () => {
  await put('uploads/orphan', 2 * DAY_MS);
  await put('uploads/ended', 2 * DAY_MS);
  await put('uploads/waiting', 2 * DAY_MS);
  await put('uploads/young', DAY_MS / 2);
  await put('others/orphan', 2 * DAY_MS);
  await insert({ status: 'failed', finishedAtMs: Date.now(), blobKey: 'uploads/ended' });
  await insert({ blobKey: 'uploads/waiting' });
  await cleanUp({}, async () => !(await exists('uploads/orphan')) && !(await exists('uploads/ended')));
  for (const key of ['uploads/waiting', 'uploads/young', 'others/orphan']) {
    expect([key, await exists(key)]).toEqual([key, true]);
  }
});

test('an upload that a killed process left is deleted at the next start, unless another process may own it', async () => {
  const workers = ['queue of this process', store.processId].map((id) => ({ id, host: 'this machine', pid: 1 }));
  const other = { id: 'another process', host: 'another machine', pid: 1 };
  for (const worker of [...workers, other]) await store.workers.register(worker);
  await put('uploads/left', 2 * 3_600_000);
  await put('uploads/orphan', 2 * DAY_MS);
  await cleanUp({}, async () => !(await exists('uploads/orphan')));
  expect(await exists('uploads/left')).toBe(true);
  await store.workers.remove(other.id, 0);
  await put('uploads/of-a-request', -60_000);
  await cleanUp({}, async () => !(await exists('uploads/left')));
  expect(await exists('uploads/of-a-request')).toBe(true);
  for (const { id } of workers) await store.workers.remove(id, 0);
});

test.each(databasesToTest())('so is one in S3, with a database on $name', async (database) => {
  const separate = await openTestStore(database);
  const s3 = await startS3(join(separate.dataDir, 's3'));
  const address = { endpoint: `http://127.0.0.1:${s3.port}`, region: 'us-east-1' };
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const bucket = await openBlobs({ dataDir: separate.dataDir, s3: { bucket: S3_BUCKET, ...address, ...credentials } });
  const key = { name: 'first', scopes: [], prefix: 'jyut_', sha256: 'x' };
  const account = (await separate.store.accounts.createFirst({ name: 'an account', plan: 'pro', key }))!;
  await separate.store.workers.register({ id: separate.store.processId, host: 'this machine', pid: 1 });
  const waiting = newRecord(account.id, { blobKey: 'uploads/waiting' });
  await separate.store.transcriptions.insert(waiting);
  for (const name of ['uploads/left', 'uploads/waiting']) await bucket.writeText(name, 'sound', { isNew: true });
  await separate.store.identity.noteMove({ databaseId: 'old', sinceMs: 0 });
  const logger = createLogger('silent');
  const separateQueue = await openQueue({ store: separate.store });
  const services = { store: separate.store, queue: separateQueue, blobs: bucket, logger };
  await hasBlobs(services);
  // As if the process had started in an hour.
  const limits = { stuckAfterMs: DAY_MS, retentionMs: null, blobClockSkewMs: -HOUR_MS };
  const stop = startHousekeeping({ ...services, updates: createTranscriptionUpdates(separate.store) }, limits);
  const listed = () => Array.fromAsync(bucket.listChanged('uploads', { fromMs: -Infinity, beforeMs: Infinity }));
  await expect.poll(async () => (await listed()).includes('uploads/left')).toBe(false);
  expect(await listed()).toContain('uploads/waiting');
  stop();
  await separateQueue.close();
  await s3.stop();
  await separate.close();
});

test('blobs without a record stay when the database takes them just now, or another has them', async () => {
  const logged: string[] = [];
  const note = (sentence: unknown) => void logged.push(String(sentence));
  const logger = { info: note, warn: note, error: note };
  const services = { store, queue, blobs, updates: createTranscriptionUpdates(store), logger: logger as never };
  const look = async (sentence: string) => {
    const stop = startHousekeeping(services, { stuckAfterMs: DAY_MS, retentionMs: null });
    await expect.poll(() => logged).toContainEqual(expect.stringContaining(sentence));
    // The round has ended when work that comes after its look is done.
    await store.check();
    stop();
  };
  const orphans = [`${KEPT_FOLDER}/orphan`, 'uploads/orphan', `voices/${crypto.randomUUID()}.wav`];
  for (const key of orphans) await put(key, 2 * DAY_MS);
  await blobs.delete('database');
  await look('this database claims the stored files');
  await blobs.writeText('database', crypto.randomUUID(), { isNew: false });
  await look('another database has the blobs');
  for (const key of orphans) expect([key, await exists(key)]).toEqual([key, true]);
  await blobs.writeText('database', store.databaseId, { isNew: false });
  await cleanUp({}, async () => (await Promise.all(orphans.map(exists))).every((found) => !found));
});

test('blobs that are older than the database stay: their records are in another one', async () => {
  const older = ['uploads/older', `${KEPT_FOLDER}/older`, `voices/${crypto.randomUUID()}.wav`];
  const ownKeys = ['uploads/own', `${KEPT_FOLDER}/own`, `voices/${crypto.randomUUID()}.wav`];
  for (const key of older) await put(key, 4 * DAY_MS);
  for (const key of ownKeys) await put(key, 2 * DAY_MS);
  await store.identity.noteMove({ databaseId: 'old', sinceMs: Date.now() - 3 * DAY_MS });
  await cleanUp({}, async () => !(await Promise.all(ownKeys.map(exists))).includes(true));
  expect(await Promise.all(older.map(exists))).toEqual([true, true, true]);
  await store.identity.noteMove({ databaseId: 'old', sinceMs: 0 });
  await cleanUp({}, async () => !(await Promise.all(older.map(exists))).includes(true));
});

test('old samples without a voice are deleted; those of voices are not', async () => {
  const bands = Array.from({ length: VOICE_BANDS.count }, () => 0);
  const voice: PrivateVoice = {
    id: crypto.randomUUID(),
    accountId,
    name: 'Anna',
    language: 'cantonese',
    gender: null,
    description: null,
    transcript: null,
    engine: null,
    profile: {
      version: 1,
      pitchMedianHz: 200,
      pitchLowSemitones: -3,
      pitchHighSemitones: 3,
      formantsHz: [500, 1_500, 2_500],
      voicedBandsDb: bands,
      unvoicedBandsDb: bands,
      noiseShares: bands,
      syllablesPerSecond: 4,
      timbre: '',
    },
    sample: { durationMs: 5_000, sizeBytes: 5 },
    createdAtMs: 1,
    consentedAtMs: 1,
  };
  expect(await store.voices.create(voice, 'anna', 1)).toBe(true);
  const [kept, young, orphan] = [voice.id, crypto.randomUUID(), crypto.randomUUID()];
  await put(`voices/${kept}.wav`, 2 * DAY_MS);
  await put(`voices/${young}.wav`, DAY_MS / 2);
  await put(`voices/${orphan}.wav`, 2 * DAY_MS);
  await cleanUp({}, async () => !(await exists(`voices/${orphan}.wav`)));
  for (const id of [kept, young]) expect([id, await exists(`voices/${id}.wav`)]).toEqual([id, true]);
});

test('a record fails that makes no progress, unless its work waits or goes on before the next look', async () => {
  const silent = { status: 'processing', startedAtMs: 1, progressAtMs: 1 } as const;
  await put('uploads/stuck', 0);
  const [waiting, going] = [await insert(silent), await insert(silent)];
  const stuck = await insert({ ...silent, blobKey: 'uploads/stuck' });
  const payload = { transcriptionId: waiting.id };
  await store.transaction((transaction) => queue.enqueue(transaction, { name: 'transcribe', payload, accountId }));
  const statusOf = async (id: string) => (await store.transcriptions.find(id))?.status;
  await cleanUp({ stuckAfterMs: 1_000 }, async () => {
    await store.transcriptions.start(going.id);
    return (await statusOf(stuck.id)) === 'failed' && !(await exists('uploads/stuck'));
  });
  expect([await statusOf(waiting.id), await statusOf(going.id)]).toEqual(['processing', 'processing']);
});

test('without a retention time nothing is deleted, but a record without progress fails', async () => {
  const old = await insert({ status: 'completed', result: newResult(), finishedAtMs: 1 });
  const silent = await insert({ status: 'processing', startedAtMs: 1, progressAtMs: 1 });
  await cleanUp({ stuckAfterMs: 100 }, async () => (await store.transcriptions.find(silent.id))?.status === 'failed');
  expect(await store.transcriptions.find(silent.id)).toMatchObject({ error: { code: 'timed_out' } });
  expect(await isThere(old.id)).toBe(true);
});

test('expired idempotency keys are deleted', async () => {
  const { id } = await insert();
  const claim = { accountId, key: 'yesterday', requestSha256: '', transcriptionId: id };
  vi.setSystemTime(Date.now() - DAY_MS - 1_000);
  await store.idempotencyKeys.claim(claim);
  vi.useRealTimers();
  // Deleted after the keys.
  const last = await insert({ status: 'completed', result: newResult(), finishedAtMs: 1 });
  await cleanUp({ retentionMs: DAY_MS }, async () => !(await isThere(last.id)));
  expect(await store.idempotencyKeys.deleteExpired()).toBe(0);
});

test('all expired values of the video cache are deleted; others stay', async () => {
  await store.transaction(async ({ videoCache }) => {
    for (let index = 0; index < 120; index += 1) await videoCache.save(`expired-${index}`, '{}', index);
    await videoCache.save('wanted', '{"lines": []}', Date.now() + DAY_MS);
  });
  const last = await insert({ status: 'completed', result: newResult(), finishedAtMs: 1 });
  await cleanUp({ retentionMs: DAY_MS }, async () => !(await isThere(last.id)));
  expect(await store.videoCache.deleteExpired()).toBe(0);
  expect(await store.videoCache.find('wanted')).toBe('{"lines": []}');
});
