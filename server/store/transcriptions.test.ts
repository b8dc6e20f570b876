import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, assert, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Account } from '@jyutsing/contracts/accounts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { openStore } from './open-store.ts';
import { KEPT_FOLDER, type TranscriptionSummary } from '@jyutsing/contracts/transcription';
import type { Store } from './store.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

describe.each(databasesToTest())('transcription records on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const createAccount = (): Promise<Account> => store.accounts.create({ name: 'an account', plan: 'free' });
  const reserve = (accountId: string, amount: number, limit: number | null, requestId: string) =>
    store.quotas.reserve({ accountId, unit: 'stt_seconds', amount, limit, requestId, heldBy: 'record' });
  const usedSeconds = async (accountId: string) => (await store.quotas.used(accountId)).stt_seconds;
  const insertRecord = async (accountId: string, change: RecordChange = {}) => {
    const record = newRecord(accountId, change);
    await store.transcriptions.insert(record);
    return record;
  };

  it('a record is read as it was written', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id, { sizeBytes: 3_000_000_000, durationMs: 36_000_000 });
    expect(await store.transcriptions.find(record.id)).toEqual(record);
    expect(await store.transcriptions.find('nothing')).toBeNull();
  });

  it('simultaneous transactions that keep recordings count those of one another', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    await insertRecord(other.id, { blobKey: `${KEPT_FOLDER}/other`, sizeBytes: 1_000 });
    await insertRecord(account.id, { blobKey: 'uploads/own', sizeBytes: 1_000 });
    const keep = (index: number) =>
      store.transaction(async (transaction) => {
        if ((await transaction.transcriptions.keptBytesLocked(account.id)) + 100 > 700) return false;
        const record = newRecord(account.id, { blobKey: `${KEPT_FOLDER}/${index}`, sizeBytes: 100 });
        await transaction.transcriptions.insert(record);
        return true;
      });
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => keep(index)));
    expect(made.filter(Boolean)).toHaveLength(7);
    expect(await store.transcriptions.keptBytes(account.id)).toBe(700);
    expect(await store.transcriptions.keptBytes(crypto.randomUUID())).toBe(0);
  });

  it('the records of a batch are found in order, and no others', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    const batchId = crypto.randomUUID();
    const records = [];
    for (const batchPosition of [1, 0, 2]) records.push(await insertRecord(account.id, { batchId, batchPosition }));
    await insertRecord(account.id, { batchId: crypto.randomUUID(), batchPosition: 0 });
    await insertRecord(account.id);
    await insertRecord(other.id, { batchId, batchPosition: 0 });
    const found = await store.transcriptions.findBatch(account.id, batchId);
    expect(found.map(({ id }) => id)).toEqual([records[1]?.id, records[0]?.id, records[2]?.id]);
    expect(found[0]).toMatchObject({ batchId, batchPosition: 0 });
    const listed = await store.transcriptions.list(account.id, { limit: 10, batchId });
    expect(listed.map(({ id }) => id).toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    expect(await store.transcriptions.findBatch(account.id, crypto.randomUUID())).toEqual([]);
  });

  it('a record is started, reports progress, and settles its quota when completed', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id);
    await reserve(account.id, 60, 100, record.id);
    expect(await store.transcriptions.start(record.id)).toBe(true);
    await store.transcriptions.progress(record.id, { stage: 'recognition', processedMs: 1_500.4 });
    const running = await store.transcriptions.find(record.id);
    expect(running).toMatchObject({ status: 'processing', processedMs: 1_500 });
    const result = newResult();
    const outcome = { result, cacheKey: 'key', processingSeconds: 1.25, creditsUsed: 3 };
    expect(await store.transcriptions.complete(record.id, outcome)).toBe(true);
    const done = await store.transcriptions.find(record.id);
    expect(done).toMatchObject({ status: 'completed', result, processingSeconds: 1.25, creditsUsed: 3 });
    expect(done).not.toHaveProperty('error');
    expect(done).toMatchObject({ durationMs: 2_900, outputLanguage: 'cantonese', startedAtMs: running?.startedAtMs });
    assert(done?.status === 'completed');
    expect(done.finishedAtMs).toBeGreaterThanOrEqual(done.startedAtMs ?? Infinity);
    expect(await usedSeconds(account.id)).toBe(3);
  });

  it('a second start resets the progress and keeps the first start time', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id);
    await store.transcriptions.start(record.id);
    await store.transcriptions.progress(record.id, { stage: 'recognition', processedMs: 900 });
    const first = await store.transcriptions.find(record.id);
    await sleep(5);
    expect(await store.transcriptions.start(record.id)).toBe(true);
    const second = await store.transcriptions.find(record.id);
    expect(second).toMatchObject({ processedMs: 0, startedAtMs: first?.startedAtMs });
    assert(second?.status === 'processing');
    expect(second.progressAtMs).toBeGreaterThan(first?.startedAtMs ?? Infinity);
  });

  it('a failure releases the quota, and a final record refuses every change', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id);
    await reserve(account.id, 60, 100, record.id);
    const error = { code: 'engine_failed', message: 'It failed.' } as const;
    expect(await store.transcriptions.fail(record.id, { error, processingSeconds: null })).toBe(true);
    expect(await usedSeconds(account.id)).toBe(0);
    const final = await store.transcriptions.find(record.id);
    const outcome = { result: newResult(), cacheKey: '', processingSeconds: 1, creditsUsed: 50 };
    expect(await store.transcriptions.complete(record.id, outcome)).toBe(false);
    expect(await store.transcriptions.fail(record.id, { error, processingSeconds: 1 })).toBe(false);
    expect(await store.transcriptions.start(record.id)).toBe(false);
    await store.transcriptions.progress(record.id, { stage: 'recognition', processedMs: 77 });
    expect(await store.transcriptions.find(record.id)).toEqual(final);
    expect(final).toMatchObject({ status: 'failed', error });
    expect(await usedSeconds(account.id)).toBe(0);
  });

  it('exactly one of a simultaneous completion and failure counts, for record and quota', async () => {
    const account = await createAccount();
    for (let round = 1; round <= 10; round++) {
      const record = await insertRecord(account.id);
      const before = await usedSeconds(account.id);
      await reserve(account.id, 60, null, record.id);
      const error = { code: 'timed_out', message: 'Too late.' } as const;
      const ended = await Promise.all([
        store.transcriptions.complete(record.id, {
          result: newResult(),
          cacheKey: '',
          processingSeconds: 1,
          creditsUsed: 3,
        }),
        store.transcriptions.fail(record.id, { error, processingSeconds: 1 }),
      ]);
      expect(ended.filter(Boolean)).toHaveLength(1);
      const status = (await store.transcriptions.find(record.id))?.status;
      expect((await usedSeconds(account.id)) - before).toBe(status === 'completed' ? 3 : 0);
    }
  });

  it('pages are complete and newest first, also for records of the same millisecond', async () => {
    const account = await createAccount();
    const stranger = await createAccount();
    await insertRecord(stranger.id);
    for (const createdAtMs of [1_000, 2_000, 2_000, 2_000, 3_000]) await insertRecord(account.id, { createdAtMs });
    const seen: TranscriptionSummary[] = [];
    for (;;) {
      const before = seen.at(-1)?.id;
      const page = await store.transcriptions.list(account.id, { limit: 2, ...(before ? { before } : {}) });
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen.map((record) => record.createdAtMs)).toEqual([3_000, 2_000, 2_000, 2_000, 1_000]);
    expect(new Set(seen.map((record) => record.id)).size).toBe(5);
    expect(await store.transcriptions.list(account.id, { limit: 2, before: 'unknown' })).toEqual([]);
  });

  it('only started records without progress are stuck', async () => {
    const account = await createAccount();
    const [waiting, running, final] = [
      await insertRecord(account.id),
      await insertRecord(account.id),
      await insertRecord(account.id),
    ];
    await store.transcriptions.start(running.id);
    await store.transcriptions.start(final.id);
    await store.transcriptions.fail(final.id, { error: { code: 'timed_out', message: '' }, processingSeconds: null });
    const stuck = (await store.transcriptions.findStuck(Date.now() + 1)).map(({ id }) => id);
    expect(stuck).toContain(running.id);
    expect(stuck).not.toContain(waiting.id);
    expect(stuck).not.toContain(final.id);
    const before = await store.transcriptions.findStuck(Date.now() - 60_000);
    expect(before.map(({ id }) => id)).not.toContain(running.id);
  });

  it('deleting an unfinished record releases its quota; deleting a finished one does not', async () => {
    const account = await createAccount();
    const [unfinished, finished] = [await insertRecord(account.id), await insertRecord(account.id)];
    await reserve(account.id, 60, null, unfinished.id);
    await reserve(account.id, 60, null, finished.id);
    await store.transcriptions.complete(finished.id, {
      result: newResult(),
      cacheKey: '',
      processingSeconds: 1,
      creditsUsed: 3,
    });
    expect(await store.transcriptions.delete(unfinished.id, 'a stranger')).toBe(false);
    expect(await usedSeconds(account.id)).toBe(63);
    expect(await store.transcriptions.delete(unfinished.id, account.id)).toBe(true);
    expect(await store.transcriptions.delete(finished.id, account.id)).toBe(true);
    expect(await store.transcriptions.delete(finished.id, account.id)).toBe(false);
    expect(await usedSeconds(account.id)).toBe(3);
  });

  it('a list has all fields but the texts, and can be filtered by status', async () => {
    const account = await createAccount();
    const [waiting, done] = [await insertRecord(account.id), await insertRecord(account.id)];
    const outcome = { result: newResult(), cacheKey: 'key', processingSeconds: 1, creditsUsed: 3 };
    await store.transcriptions.complete(done.id, outcome);
    const record = await store.transcriptions.find(done.id);
    assert(record?.status === 'completed');
    const { result, edit, ...summary } = record;
    expect(result).not.toBeNull();
    expect(edit).toBeNull();
    expect(summary.backend).toBe('test');
    expect(await store.transcriptions.list(account.id, { limit: 9, status: 'completed' })).toEqual([summary]);
    const open = await store.transcriptions.list(account.id, { limit: 9, status: 'pending' });
    expect(open.map(({ id }) => id)).toEqual([waiting.id]);
    expect(await store.transcriptions.list(account.id, { limit: 9, status: 'failed' })).toEqual([]);
  });

  it('a text is found by its cache key within its account, until its record is deleted', async () => {
    const [account, stranger] = [await createAccount(), await createAccount()];
    const record = await insertRecord(account.id, { cacheKey: 'planned' });
    const { transcriptions } = store;
    expect(await transcriptions.findFinished(account.id, 'planned')).toBeNull();
    const outcome = { result: newResult(), processingSeconds: 1, creditsUsed: 3 };
    await transcriptions.complete(record.id, { ...outcome, cacheKey: 'done' });
    expect(await transcriptions.findFinished(account.id, 'planned')).toBeNull();
    expect(await transcriptions.findFinished(account.id, 'done')).toMatchObject({ id: record.id });
    expect(await transcriptions.findFinished(stranger.id, 'done')).toBeNull();
    const nameless = await insertRecord(account.id);
    await transcriptions.complete(nameless.id, { ...outcome, cacheKey: '' });
    expect(await transcriptions.findFinished(account.id, '')).toBeNull();
    await transcriptions.delete(record.id, account.id);
    expect(await transcriptions.findFinished(account.id, 'done')).toBeNull();
  });

  it('records that ended before a time are deleted, oldest first; running ones stay', async () => {
    const account = await createAccount();
    const { transcriptions } = store;
    const error = { code: 'timed_out', message: '' } as const;
    for (const at of [300, 100, 200, 5_000]) {
      await insertRecord(account.id, { status: 'failed', error, finishedAtMs: at, blobKey: `uploads/${at}` });
    }
    await insertRecord(account.id, { status: 'processing', blobKey: 'uploads/running' });
    const gone = await transcriptions.deleteFinished({ beforeMs: 1_000 });
    expect(gone.map(({ blobKey }) => blobKey).sort()).toEqual(['uploads/100', 'uploads/200', 'uploads/300']);
    expect(await transcriptions.deleteFinished({ beforeMs: 1_000 })).toEqual([]);
    expect(await transcriptions.list(account.id, { limit: 9 })).toHaveLength(2);
  });

  it.each(['of an account', 'that ended before a time'])(
    'finished records %s are deleted in parts of few bytes, oldest first',
    async (which) => {
      const account = await createAccount();
      const megabytes = [1, 2, 3, 9, 1, 1];
      for (const [at, size] of megabytes.entries()) {
        const result = { ...newResult(), backend: 'x'.repeat(size * 1_000_000) };
        await insertRecord(account.id, {
          status: 'completed',
          result,
          createdAtMs: at,
          finishedAtMs: at,
          blobKey: `kept/${at}`,
        });
      }
      const parts: string[] = [];
      for (;;) {
        const part = await store.transcriptions.deleteFinished(
          which === 'of an account' ? { accountId: account.id } : { beforeMs: 1_000 },
        );
        if (part.length === 0) break;
        // PostgreSQL returns the deleted rows of a part in any order.
        const ages = part.map(({ blobKey }) => blobKey?.at(-1));
        parts.push(ages.sort().join(''));
      }
      expect(parts).toEqual(['01', '2', '3', '45']);
    },
  );

  it('ids of deleted records are remembered, however these were deleted', async () => {
    const [account, leaving] = [await createAccount(), await createAccount()];
    const { transcriptions } = store;
    const records = [await insertRecord(account.id), await insertRecord(leaving.id)];
    const finished = { status: 'failed', error: { code: 'timed_out', message: '' }, finishedAtMs: 1 } as const;
    records.push(await insertRecord(account.id, finished));
    for (const { id } of records) expect(await transcriptions.wasDeleted(id)).toBe(false);
    await transcriptions.delete(records[0]!.id, account.id);
    await store.accounts.delete(leaving.id);
    await transcriptions.deleteFinished({ beforeMs: 2 });
    for (const { id } of records) expect(await transcriptions.wasDeleted(id)).toBe(true);
    vi.setSystemTime(Date.now() + 49 * 3_600_000);
    onTestFinished(() => void vi.useRealTimers());
    expect(await transcriptions.wasDeleted(records[0]!.id)).toBe(false);
    while ((await transcriptions.forgetDeleted(1)) > 0);
    vi.useRealTimers();
    expect(await transcriptions.wasDeleted(records[0]!.id)).toBe(false);
  });

  it('an insertion at the time of a deletion sees that the id was used', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id);
    const isDeleted = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const deletion = store.transaction(async (transaction) => {
      await transaction.transcriptions.delete(record.id, account.id);
      isDeleted.resolve();
      await mayEnd.promise;
    });
    await isDeleted.promise;
    const insertion = store.transaction(async (transaction) => {
      await transaction.transcriptions.insert(record);
      return transaction.transcriptions.wasDeleted(record.id);
    });
    mayEnd.resolve();
    await deletion;
    expect(await insertion).toBe(true);
  });

  it('progress is read until the record is deleted', async () => {
    const account = await createAccount();
    const record = await insertRecord(account.id);
    await store.transcriptions.start(record.id);
    await store.transcriptions.progress(record.id, { stage: 'diarization', processedMs: 1_200 });
    const progress = { status: 'processing', stage: 'diarization', processedMs: 1_200, durationMs: 3_000 };
    const otherRecords = await Promise.all([1, 2].map(() => insertRecord(account.id)));
    const ids = [record, ...otherRecords].map(({ id }) => id);
    const found = await store.transcriptions.findProgress([...ids, 'no id']);
    expect(found.get(record.id)).toEqual({ ...progress, workId: record.id });
    expect([...found.keys()].sort()).toEqual(ids.sort());
    await store.transcriptions.delete(record.id, account.id);
    expect((await store.transcriptions.findProgress(ids)).has(record.id)).toBe(false);
    expect(await store.transcriptions.progress(record.id, { stage: 'fusion', processedMs: 0 })).toBe(false);
  });

  it('records are counted by status', async () => {
    const account = await createAccount();
    const before = await store.transcriptions.countByStatus();
    await insertRecord(account.id);
    expect(await store.transcriptions.countByStatus()).toEqual({ ...before, pending: before.pending + 1 });
  });
});

it('deleted texts do not remain in the SQLite file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-store-'));
  const privateStore = await openStore({ databaseUrl: null, dataDir: folder });
  const { id: accountId } = await privateStore.accounts.create({ name: 'an account', plan: 'free' });
  const record = newRecord(accountId);
  const secret = '呢句嘢冇人應該見到。'.repeat(2_000);
  const segments = [{ ...newResult().segments[0]!, text: secret }];
  await privateStore.transcriptions.insert(record);
  const outcome = { result: { ...newResult(), segments }, cacheKey: '', processingSeconds: 1, creditsUsed: 3 };
  await privateStore.transcriptions.complete(record.id, outcome);
  await privateStore.transcriptions.delete(record.id, accountId);
  await privateStore.close();
  const file = await readFile(join(folder, 'jyutsing.db'), 'utf8');
  await rm(folder, { recursive: true });
  expect(file).toContain(accountId);
  expect(file).not.toContain('呢句嘢');
});
