import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { Store } from './store.ts';
import { newRecord } from '#test/transcription-records.ts';

describe.each(databasesToTest())('quotas on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterEach(async () => {
    vi.useRealTimers();
    // Reservations left by a test must not be released in the next one.
    await store.quotas.releaseOrphaned();
    await store.quotas.releaseAbandoned(Date.now() + 60_000);
  });
  afterAll(() => opened.close());

  const createAccount = (): Promise<Account> => store.accounts.create({ name: 'an account', plan: 'free' });
  const reserve = (
    accountId: string,
    amount: number,
    limit: number | null,
    requestId: string = crypto.randomUUID(),
    heldBy: 'record' | 'process' = 'process',
  ) => store.quotas.reserve({ accountId, unit: 'stt_seconds', amount, limit, requestId, heldBy });
  const usedSeconds = async (accountId: string, atMs?: number) =>
    (await store.quotas.used(accountId, atMs)).stt_seconds;
  const register = () => store.workers.register({ id: store.processId, host: 'here', pid: 1 });
  const declareDead = async () => {
    await store.workers.remove(store.processId, 0);
    return store.quotas.releaseOrphaned();
  };
  const executeSql = (text: string) => store.transaction((transaction) => transaction.raw.executeSql(text));

  describe('simultaneous requests', () => {
    it('200 reservations of the last 40 units take exactly 40', async () => {
      const account = await createAccount();
      await reserve(account.id, 60, 100);
      const taken = await Promise.all(Array.from({ length: 200 }, () => reserve(account.id, 1, 100)));
      expect(taken.filter((reservation) => reservation !== null)).toHaveLength(40);
      expect(await usedSeconds(account.id)).toBe(100);
    });

    it('the limit also holds inside transactions that write other rows', async () => {
      const account = await createAccount();
      const accepted = await Promise.all(
        Array.from({ length: 200 }, () =>
          store.transaction(async (transaction) => {
            const { id } = account;
            const record = newRecord(id);
            const reservation = {
              accountId: id,
              unit: 'stt_seconds',
              amount: 1,
              limit: 100,
              heldBy: 'record',
            } as const;
            if ((await transaction.quotas.reserve({ ...reservation, requestId: record.id })) === null) return false;
            await transaction.transcriptions.insert(record);
            return true;
          }),
        ),
      );
      expect(accepted.filter(Boolean)).toHaveLength(100);
      expect(await usedSeconds(account.id)).toBe(100);
      expect(await store.transcriptions.list(account.id, { limit: 1_000 })).toHaveLength(100);
    });

    it('exactly one of a simultaneous settle and release counts', async () => {
      const account = await createAccount();
      for (let round = 0; round < 10; round++) {
        const requestId = crypto.randomUUID();
        const before = await usedSeconds(account.id);
        await reserve(account.id, 9, null, requestId);
        await Promise.all([store.quotas.settle(requestId, 4), store.quotas.release(requestId)]);
        expect([0, 4]).toContain((await usedSeconds(account.id)) - before);
      }
    });

    it('during mixed reservations the usage is never negative and never above the limit', async () => {
      const account = await createAccount();
      const seen: number[] = [];
      let charged = 0;
      const request = async (index: number) => {
        const requestId = crypto.randomUUID();
        if ((await reserve(account.id, 3, 90, requestId)) === null) return;
        seen.push(await usedSeconds(account.id));
        const release = () => store.quotas.release(requestId);
        if (index % 3 > 0) {
          await Promise.all([release(), release()]);
          return;
        }
        await Promise.all([store.quotas.settle(requestId, 1), store.quotas.settle(requestId, 1)]);
        charged += 1;
        await release();
      };
      await Promise.all(Array.from({ length: 120 }, (_, index) => request(index)));
      seen.push(await usedSeconds(account.id));
      expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...seen)).toBeLessThanOrEqual(90);
      expect(seen.at(-1)).toBe(charged);
    });

    it('repeated reservations of one request take its units once', async () => {
      const account = await createAccount();
      const requestId = crypto.randomUUID();
      const reservations = await Promise.all(Array.from({ length: 5 }, () => reserve(account.id, 7, 100, requestId)));
      expect(new Set(reservations.map((reservation) => reservation?.id)).size).toBe(1);
      expect(await usedSeconds(account.id)).toBe(7);
    });
  });

  it('a reservation whose commit arrives after its release is released all the same', async () => {
    const account = await createAccount();
    const requestId = crypto.randomUUID();
    await store.quotas.releaseUncertain(requestId);
    expect(await reserve(account.id, 7, 100, requestId)).not.toBeNull();
    await store.quotas.endOverdue();
    expect(await usedSeconds(account.id)).toBe(0);
  });

  it('reserves the whole amount or nothing, up to the limit', async () => {
    const account = await createAccount();
    expect(await reserve(account.id, 101, 100)).toBeNull();
    expect(await reserve(account.id, 60, 100)).toMatchObject({ amount: 60, accountId: account.id });
    expect(await reserve(account.id, 41, 100)).toBeNull();
    expect(await reserve(account.id, 40, 100)).not.toBeNull();
    expect(await reserve(account.id, 1, 100)).toBeNull();
    expect(await reserve(account.id, 1_000_000, null)).not.toBeNull();
    expect(await store.quotas.used(account.id)).toEqual({
      stt_seconds: 1_000_100,
      tts_characters: 0,
      video_summaries: 0,
    });
  });

  it.each([-1, 0.5, Number.NaN, Infinity])(
    'refuses the amount %d, which would give units away or drift',
    async (amount) => {
      const account = await createAccount();
      await expect(reserve(account.id, amount, null)).rejects.toThrow(AppError);
      expect(await usedSeconds(account.id)).toBe(0);
    },
  );

  it('an unknown account has no quota', async () => {
    await expect(reserve('unknown', 1, null)).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(store.quotas.used('unknown')).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('repeated calls of settle and release count once', async () => {
    const account = await createAccount();
    const [settled, released] = [crypto.randomUUID(), crypto.randomUUID()];
    await reserve(account.id, 50, 100, settled);
    await reserve(account.id, 30, 100, released);
    await store.quotas.settle(settled, 20);
    await store.quotas.settle(settled, 1);
    await store.quotas.release(settled);
    expect(await usedSeconds(account.id)).toBe(50);
    await Promise.all(Array.from({ length: 20 }, () => store.quotas.release(released)));
    expect(await usedSeconds(account.id)).toBe(20);
    await store.quotas.release('never reserved');
    expect(await usedSeconds(account.id)).toBe(20);
  });

  it('usage above the reservation is charged in full', async () => {
    const account = await createAccount();
    const requestId = crypto.randomUUID();
    await reserve(account.id, 10, 100, requestId);
    await store.quotas.settle(requestId, 13);
    expect(await usedSeconds(account.id)).toBe(13);
  });

  it('periods start each month on the day of the creation, and units return to their period', async () => {
    vi.setSystemTime(Date.UTC(2026, 0, 31, 12));
    const account = await createAccount();
    const firstMs = Date.UTC(2026, 1, 27, 23, 59, 59, 999);
    vi.setSystemTime(firstMs);
    const requestId = crypto.randomUUID();
    expect(await reserve(account.id, 100, 100, requestId)).toMatchObject({ period: '2026-01-31' });
    expect(await reserve(account.id, 1, 100)).toBeNull();
    vi.setSystemTime(firstMs + 1);
    expect(await reserve(account.id, 40, 100)).toMatchObject({ period: '2026-02-28' });
    expect(await usedSeconds(account.id, firstMs)).toBe(100);
    await store.quotas.release(requestId);
    expect(await usedSeconds(account.id, firstMs)).toBe(0);
    expect(await usedSeconds(account.id)).toBe(40);
  });

  it('a settlement that failed in the database is repeated later, once', async () => {
    const account = await createAccount();
    const [served, failed] = [crypto.randomUUID(), crypto.randomUUID()];
    await reserve(account.id, 50, null, served);
    await reserve(account.id, 30, null, failed);
    await executeSql('alter table quota_reservations rename to quota_reservations_lost');
    await expect(store.quotas.settle(served, 20)).rejects.toThrow(/quota_reservations/);
    await expect(store.quotas.release(failed)).rejects.toThrow(/quota_reservations/);
    await expect(store.quotas.endOverdue()).rejects.toThrow(/quota_reservations/);
    expect(await usedSeconds(account.id)).toBe(80);
    await executeSql('alter table quota_reservations_lost rename to quota_reservations');
    await store.quotas.endOverdue();
    await store.quotas.endOverdue();
    expect(await usedSeconds(account.id)).toBe(20);
  });

  it('abandoned reservations are released; those of waiting transcriptions are not', async () => {
    const account = await createAccount();
    await reserve(account.id, 5, null);
    const waiting = newRecord(account.id);
    await store.transcriptions.insert(waiting);
    await reserve(account.id, 11, null, waiting.id, 'record');
    expect(await store.quotas.releaseAbandoned(Date.now() - 60_000)).toBe(0);
    await store.quotas.releaseAbandoned(Date.now() + 1);
    expect(await usedSeconds(account.id)).toBe(11);
  });

  describe('a process believed dead', () => {
    afterEach(() => store.workers.remove(store.processId, 0));

    it('is charged once for what it settles', async () => {
      const account = await createAccount();
      const [served, failed] = [crypto.randomUUID(), crypto.randomUUID()];
      await register();
      await reserve(account.id, 30, null, served);
      await reserve(account.id, 50, null, failed);
      expect(await store.quotas.releaseOrphaned()).toBe(0);
      expect(await declareDead()).toBe(2);
      expect(await store.quotas.releaseOrphaned()).toBe(0);
      expect(await usedSeconds(account.id)).toBe(0);
      await Promise.all([
        store.quotas.settle(served, 30),
        store.quotas.settle(served, 30),
        store.quotas.release(failed),
      ]);
      expect(await usedSeconds(account.id)).toBe(30);
    });

    it('reclaims its unsettled reservations when it returns', async () => {
      const account = await createAccount();
      const other = await createAccount();
      const requestId = crypto.randomUUID();
      await register();
      for (const { id } of [account, other, account]) await reserve(id, 7, 14);
      await reserve(other.id, 7, 14, requestId);
      expect(await declareDead()).toBe(4);
      await store.quotas.settle(requestId, 7);
      await register();
      expect(await store.quotas.reclaim()).toBe(3);
      expect(await store.quotas.reclaim()).toBe(0);
      expect([await usedSeconds(account.id), await usedSeconds(other.id)]).toEqual([14, 14]);
    });

    it('keeps reservations of records, and those made while it was unregistered', async () => {
      const account = await createAccount();
      await reserve(account.id, 2, null);
      await register();
      await reserve(account.id, 3, null, crypto.randomUUID(), 'record');
      expect(await declareDead()).toBe(0);
      expect(await usedSeconds(account.id)).toBe(5);
    });

    it('is swept by several processes, and its reservations are released once', async () => {
      const account = await createAccount();
      await register();
      await Promise.all(Array.from({ length: 30 }, () => reserve(account.id, 2, null)));
      await store.workers.remove(store.processId, 0);
      const swept = await Promise.all(Array.from({ length: 8 }, () => store.quotas.releaseOrphaned()));
      expect(swept.reduce((sum, count) => sum + count, 0)).toBe(30);
      expect(await usedSeconds(account.id)).toBe(0);
    });
  });
});
