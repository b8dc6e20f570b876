import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { isFinal } from '@jyutsing/contracts/transcription';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { endAllJoined, newRecord, newResult } from '#test/transcription-records.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

/** Requests that arrive at the same time. */
const COUNT = 20;

describe.each(databasesToTest())('simultaneous records of the same work on $name', (database) => {
  let opened: TestStore;
  /** Two connections to one database, like those of two processes. */
  let stores: [Store, Store];
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    const { store: first, databaseUrl, dataDir } = opened;
    // SQLite waits for its lock without leaving the event loop, so a second one would never end.
    stores = [first, databaseUrl === null ? first : await openStore({ databaseUrl, dataDir })];
    accountId = (await stores[0].accounts.create({ name: 'an account', plan: 'free' })).id;
  });
  afterAll(async () => {
    if (stores[1] !== stores[0]) await stores[1].close();
    await opened.close();
  });

  const insertMany = (cacheKey: string, count = COUNT) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const record = newRecord(accountId, { cacheKey, status: 'processing' });
        assert(!isFinal(record));
        const joined = await stores[index % 2]!.transcriptions.insertOrJoin(record);
        return { id: record.id, joined };
      }),
    );

  it('are joined to one of them, in whichever process they arrive', async () => {
    const inserted = await insertMany('together');
    const leaders = inserted.filter(({ joined }) => joined === null);
    expect(leaders).toHaveLength(1);
    expect(new Set(inserted.map(({ joined }) => joined))).toEqual(new Set([null, leaders[0]!.id]));
  });

  it('go on when two of them are deleted at the same time', async () => {
    const [leader, second, third] = await insertMany('deleting', 3);
    const ids = [leader, second, third].map((record) => record!.id).toSorted();
    const leading = [leader, second, third].find((record) => record!.joined === null)!.id;
    const [next, last] = ids.filter((id) => id !== leading) as [string, string];
    const remove = (store: Store, id: string, beforeCommit: Promise<void> | null) =>
      store.transaction(async ({ transcriptions }) => {
        await transcriptions.delete(id, accountId);
        const successor = await transcriptions.successorOf(id);
        deleted.resolve();
        await beforeCommit;
        return successor?.id ?? null;
      });
    const deleted = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const removingNext = remove(stores[0], next, commit.promise);
    await deleted.promise;
    const removingLeader = remove(stores[1], leading, null);
    // By then the second deletion waits for the first one.
    await sleep(300);
    commit.resolve();
    expect([await removingNext, await removingLeader]).toEqual([null, last]);
    expect(await stores[0].transcriptions.findState(last)).toMatchObject({ workId: last });
  });

  it('all end with the work, also those that arrive while it ends', async () => {
    const [first] = await insertMany('ending', 1);
    const outcome = { result: newResult(), cacheKey: 'ending', processingSeconds: 1, creditsUsed: 3 };
    const [inserted] = await Promise.all([insertMany('ending'), stores[0].transcriptions.complete(first!.id, outcome)]);
    await Promise.all(stores.map((store) => endAllJoined(store, first!.id)));
    for (const { id, joined } of inserted) {
      const record = await stores[0].transcriptions.find(id);
      const belongsToFirst = joined === first!.id;
      expect([belongsToFirst, record?.status]).toEqual([belongsToFirst, belongsToFirst ? 'completed' : 'processing']);
    }
  });

  it('end a few at a time, when they are many and long', async () => {
    const [first] = await insertMany('many', 1);
    // More at once would wait for connections longer than a slow machine allows.
    for (let count = 0; count < 300; count += COUNT) await insertMany('many');
    expect(await stores[0].transcriptions.endJoined(first!.id)).toEqual([]);
    const outcome = { result: newResult(), cacheKey: 'many', processingSeconds: 1, creditsUsed: 3 };
    expect(await stores[0].transcriptions.complete(first!.id, outcome)).toBe(true);
    expect(await stores[0].transcriptions.findUnendedWork()).toEqual([first!.id]);
    // A final record stays while others wait for it.
    await stores[0].transcriptions.deleteFinished({ accountId });
    const ended: string[] = [];
    for (;;) {
      const endedNow = await stores[ended.length % 2]!.transcriptions.endJoined(first!.id);
      if (endedNow.length === 0) break;
      expect(endedNow.length).toBeLessThanOrEqual(16);
      ended.push(...endedNow.map(({ id }) => id));
    }
    expect([ended.length, new Set(ended).size]).toEqual([300, 300]);
    expect(await stores[0].transcriptions.findUnendedWork()).toEqual([]);
    expect((await stores[0].transcriptions.countByStatus()).completed).toBe(301);
    const result = { ...newResult(), isCached: true, transcriptionSeconds: 0 };
    for (const id of [ended[0]!, ended[299]!]) {
      expect(await stores[0].transcriptions.find(id)).toMatchObject({ result, creditsUsed: 0 });
    }
  });

  it.each([
    ['almost half of what may be written at once', 600_000, [2, 1]],
    ['longer', 2_000_000, [1, 1, 1]],
  ])('end fewer at a time when their text is %s', async (length, characters, expected) => {
    const [first] = await insertMany(length, 1);
    await insertMany(length, 3);
    const [segment] = newResult().segments;
    const result = { ...newResult(), segments: [{ ...segment!, text: '粵'.repeat(characters) }] };
    const outcome = { result, cacheKey: length, processingSeconds: 1, creditsUsed: 3 };
    expect(await stores[0].transcriptions.complete(first!.id, outcome)).toBe(true);
    const ended: number[] = [];
    for (const _ of expected) ended.push((await stores[0].transcriptions.endJoined(first!.id)).length);
    expect(ended).toEqual(expected);
  });

  it('get the text of their work, although its id was that of a deleted one', async () => {
    const { transcriptions } = stores[0];
    const [deleted] = await insertMany('used before', 1);
    const [successor] = await insertMany('used before', 1);
    expect(await transcriptions.delete(deleted!.id, accountId)).toBe(true);
    const outcome = { result: newResult(), cacheKey: 'used before', processingSeconds: 1, creditsUsed: 3 };
    expect(await transcriptions.complete(successor!.id, outcome)).toBe(true);
    const again = newRecord(accountId, { id: deleted!.id, cacheKey: 'used again', status: 'processing' });
    assert(!isFinal(again));
    expect(await transcriptions.insertOrJoin(again)).toBeNull();
    const [joined] = await insertMany('used again', 1);
    const result = { ...newResult(), segments: [] };
    await transcriptions.complete(again.id, { ...outcome, result, cacheKey: 'used again' });
    await endAllJoined(stores[0], again.id);
    expect(await transcriptions.find(joined!.id)).toMatchObject({ status: 'completed', result: { segments: [] } });
  });

  it('cost what one of them handed out when all are deleted', async () => {
    const used = async () => (await stores[0].quotas.used(accountId)).stt_seconds;
    const before = await used();
    const [first] = await insertMany('handed out', 1);
    const [second] = await insertMany('handed out', 1);
    expect(second!.joined).toBe(first!.id);
    const ask = { accountId, unit: 'stt_seconds', amount: 9, limit: null, heldBy: 'record' } as const;
    await stores[0].quotas.reserve({ ...ask, requestId: first!.id });
    expect(await stores[1].transcriptions.handOut(second!.id, 4_200)).toBe(true);
    for (const { id } of [second!, first!]) await stores[0].transcriptions.delete(id, accountId);
    expect(await used()).toBe(before + 5);
    expect(await stores[1].transcriptions.handOut(second!.id, 4_200)).toBe(false);
  });

  it('keep one of them at work when it is deleted while others arrive', async () => {
    const [first] = await insertMany('deleted', 1);
    const [inserted] = await Promise.all([
      insertMany('deleted'),
      stores[1].transcriptions.delete(first!.id, accountId),
    ]);
    const outcome = { result: newResult(), cacheKey: 'deleted', processingSeconds: 1, creditsUsed: 3 };
    const successor = await stores[0].transcriptions.successorOf(first!.id);
    const leader = successor?.id ?? inserted.find(({ joined }) => joined === null)?.id ?? '';
    expect(await stores[0].transcriptions.complete(leader, outcome)).toBe(true);
    await endAllJoined(stores[0], leader);
    for (const { id } of inserted) {
      expect((await stores[1].transcriptions.find(id))?.status).toBe('completed');
    }
  });
});
