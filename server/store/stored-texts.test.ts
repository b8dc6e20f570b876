import { afterAll, assert, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isFinal } from '@jyutsing/contracts/transcription';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { endAllJoined, newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';
import { openStore } from './open-store.ts';
import type { Repositories, Store } from './store.ts';

/** Writers at the same time; the pools of two processes have 20 connections. */
const WRITERS = 18;

const outcome = (cacheKey: string) => ({
  result: { ...newResult(), backend: '粵'.repeat(1_000) },
  cacheKey,
  processingSeconds: 1,
  creditsUsed: 1,
});
const edit = (text: string) => ({ edit: { segments: null, speakers: { SPEAKER_00: text } } });

describe.each(databasesToTest())('the stored text of an account, on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  /** As another process has; SQLite has one writer. */
  let other: Store;
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    store = opened.store;
    other = database.name === 'postgres' ? await openStore(opened) : store;
  });
  afterAll(async () => {
    if (other !== store) await other.close();
    await opened.close();
  });
  beforeEach(async () => {
    accountId = (await store.accounts.create({ name: 'an account', plan: 'free' })).id;
  });

  const query = async (text: string) => {
    const { rows } = await store.transaction(({ raw }) => raw.executeSql(text));
    return rows as Record<string, unknown>[];
  };
  /** Returns the sum of the texts that the account's records store, counted one by one. */
  const summed = async (account = accountId) => {
    const rows = await query(`select bytes from stored_texts where account_id = '${account}'`);
    return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  };
  const insert = async ({ transcriptions }: Pick<Repositories, 'transcriptions'>, change: RecordChange = {}) => {
    const record = newRecord(accountId, change);
    await transcriptions.insert(record);
    return record.id;
  };
  const join = async ({ transcriptions }: Pick<Repositories, 'transcriptions'>, cacheKey: string) => {
    const record = newRecord(accountId, { cacheKey, status: 'processing' });
    assert(!isFinal(record));
    return { id: record.id, joined: await transcriptions.insertOrJoin(record) };
  };

  it('is a total that is kept, and not a sum over all of its records', async () => {
    await insert(store);
    await query(`update stored_text_totals set bytes = bytes + 7 where account_id = '${accountId}'`);
    expect(await store.storedText.bytes(accountId)).toBe((await summed()) + 7);
  });

  it('follows every change of its records, and of no others', async () => {
    const stranger = (await store.accounts.create({ name: 'another', plan: 'free' })).id;
    await store.transcriptions.insert(newRecord(stranger));
    const before = await store.storedText.bytes(stranger);
    const seen = new Set<number>();
    const isCounted = async () => {
      const bytes = await store.storedText.bytes(accountId);
      expect(bytes).toBe(await summed());
      seen.add(bytes);
    };
    const done = await insert(store, { status: 'completed', result: newResult(), blobKey: null });
    await isCounted();
    const { id: leader } = await join(store, 'work');
    await isCounted();
    const { id: follower } = await join(store, 'work');
    await isCounted();
    await store.transcriptions.complete(leader, outcome('work'));
    await endAllJoined(store, leader);
    await isCounted();
    await store.transcriptions.saveEdit(done, accountId, edit('陳生'.repeat(5_000)), null);
    await isCounted();
    await store.transcriptions.saveEdit(done, accountId, edit('陳'), null);
    await isCounted();
    await store.transcriptions.delete(follower, accountId);
    await isCounted();
    await store.transcriptions.deleteFinished({ accountId });
    expect(await store.storedText.bytes(accountId)).toBe(0);
    expect(seen.size).toBe(7);
    expect(await store.storedText.bytes(stranger)).toBe(before);
  });

  it('is as before when a write is refused or fails', async () => {
    await insert(store);
    const before = await summed();
    await expect(
      store.transaction((transaction) => transaction.storedText.within(accountId, 1, () => insert(transaction))),
    ).rejects.toMatchObject({ code: 'storage_exceeded' });
    expect(await store.storedText.bytes(accountId)).toBe(before);
  });

  it('is right after simultaneous changes, also of joined work', async () => {
    const { id: leader } = await join(store, 'same');
    const write = async (_: unknown, index: number) => {
      const connection = index % 2 === 0 ? store : other;
      const id = await insert(connection, { status: 'completed', result: newResult() });
      await join(connection, 'same');
      await connection.transcriptions.saveEdit(id, accountId, edit('x'.repeat(1_000 * index)), null);
      if (index % 3 === 0) await connection.transcriptions.delete(id, accountId);
      if (index % 4 === 0) await connection.transaction((transaction) => join(transaction, `own ${index}`));
      if (index !== 5) return;
      await connection.transcriptions.complete(leader, outcome('same'));
      await endAllJoined(connection, leader);
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    expect(await store.storedText.bytes(accountId)).toBe(await summed());
    expect(await summed()).toBeGreaterThan(0);
  });

  it('leaves nothing with its account', async () => {
    await insert(store);
    await insert(store, { status: 'completed', result: newResult() });
    await store.accounts.delete(accountId);
    expect(await query(`select * from stored_text_totals where account_id = '${accountId}'`)).toEqual([]);
    expect(await store.storedText.bytes(accountId)).toBe(0);
  });

  // SQLite has one writer at a time.
  if (database.name === 'sqlite') return;
  describe('is changed', () => {
    it('without a wait for other transactions that have changed it', async () => {
      const before = await insert(store);
      await store.transaction(async (transaction) => {
        await insert(transaction);
        await other.transcriptions.delete(before, accountId);
        const id = await insert(other);
        await other.transcriptions.complete(id, outcome(''));
        await insert(transaction);
      });
      expect(await store.storedText.bytes(accountId)).toBe(await summed());
    });

    it('in transactions that wait for the end of joined work, which ends', async () => {
      const { id: leader } = await join(store, 'ending');
      let joining: Promise<unknown> = Promise.resolve();
      await other.transaction(async (transaction) => {
        await transaction.transcriptions.progress(leader, { stage: 'recognition', processedMs: 10 });
        // As a batch does, which has changed the total when it comes to the work of another.
        joining = store.transaction(async (batch) => {
          await insert(batch);
          await join(batch, 'ending');
        });
        await vi.waitFor(
          async () => {
            const { rows } = await transaction.raw.executeSql(
              `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            );
            expect(rows).not.toEqual([]);
          },
          { timeout: 60_000 },
        );
        await transaction.transcriptions.complete(leader, outcome('ending'));
      });
      await joining;
      expect(await store.storedText.bytes(accountId)).toBe(await summed());
    });
  });
});
