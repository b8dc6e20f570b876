import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account } from '#contracts/accounts.ts';
import { AppError } from '#contracts/errors.ts';
import { databasesToTest, type OpenedDatabase } from '../../test/support/postgres.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { newRecord } from './test-records.ts';

describe.each(databasesToTest())('the store on $name', (database) => {
  let opened: OpenedDatabase;
  let dataDir: string;
  let store: Store;

  beforeAll(async () => {
    opened = await database.open();
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-store-'));
    store = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    await store.close();
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const createAccount = (): Promise<Account> => store.accounts.create({ name: 'an account', plan: 'free' });
  const reserve = (accountId: string, amount: number, limit: number | null, requestId: string = crypto.randomUUID()) =>
    store.quotas.reserve({ accountId, unit: 'stt_seconds', amount, limit, requestId });
  const usedSeconds = async (accountId: string, period?: string) =>
    (await store.quotas.used(accountId, period)).stt_seconds;

  describe('accounts and keys', () => {
    it('a key is found by its hash, with its account as it is now, until it is revoked', async () => {
      const account = await createAccount();
      const sha256 = randomHash();
      const key = await store.keys.create(account.id, { name: 'k', scopes: ['stt', 'admin'], prefix: 'js_ab', sha256 });
      expect(key).toMatchObject({ accountId: account.id, scopes: ['stt', 'admin'], revoked: false, prefix: 'js_ab' });
      expect(await store.keys.findByHash(sha256)).toEqual({ key, account });
      expect(await store.accounts.update(account.id, { blocked: true })).toEqual({ ...account, blocked: true });
      expect(await store.keys.findByHash(sha256)).toEqual({ key, account: { ...account, blocked: true } });
      expect(await store.keys.revoke(key.id)).toBe(true);
      expect(await store.keys.findByHash(sha256)).toBeNull();
      expect(await store.keys.revoke(key.id)).toBe(true);
      expect(await store.keys.list(account.id)).toEqual([{ ...key, revoked: true }]);
    });

    it('what does not exist is null, false or empty, not an error', async () => {
      expect(await store.accounts.find('nobody')).toBeNull();
      expect(await store.accounts.update('nobody', { plan: 'pro' })).toBeNull();
      expect(await store.keys.findByHash('00')).toBeNull();
      expect(await store.keys.revoke('nothing')).toBe(false);
      expect(await store.keys.list('nobody')).toEqual([]);
    });

    it('a change of the plan leaves the blocking alone, and hostile text stays text', async () => {
      const name = `Robert'); DROP TABLE accounts;-- 粵聲 \u{1F3A4}`;
      const account = await store.accounts.create({ name, plan: 'free' });
      await store.accounts.update(account.id, { blocked: true });
      await store.accounts.update(account.id, { plan: 'pro' });
      expect(await store.accounts.find(account.id)).toEqual({ ...account, plan: 'pro', blocked: true });
      expect((await store.accounts.list()).map((each) => each.id)).toContain(account.id);
    });
  });

  describe('transactions', () => {
    it('a failing one leaves nothing behind, and its error comes through', async () => {
      let id = '';
      const failing = store.transaction(async (transaction) => {
        id = (await transaction.accounts.create({ name: 'x', plan: 'free' })).id;
        expect(await transaction.accounts.find(id)).not.toBeNull();
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.accounts.find(id)).toBeNull();
    });

    it('what waits for the commit is told after it, and never after a rollback', async () => {
      const told: string[] = [];
      await store.transaction(async (transaction) => {
        transaction.raw.afterCommit(() => told.push('committed'));
        expect(told).toEqual([]);
      });
      const failing = store.transaction(async (transaction) => {
        transaction.raw.afterCommit(() => told.push('rolled back'));
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toThrow(AppError);
      expect(told).toEqual(['committed']);
    });

    it('statements of others do not slip into a transaction, and reads do not wait for it', async () => {
      const account = await createAccount();
      const other: Promise<unknown>[] = [];
      let readWithinMs = Infinity;
      const failing = store.transaction(async (transaction) => {
        await transaction.accounts.update(account.id, { plan: 'inside' });
        const bystander = store.accounts.create({ name: 'bystander', plan: 'free' });
        other.push(bystander.then((created) => store.accounts.find(created.id)));
        const beforeMs = performance.now();
        expect((await store.accounts.find(account.id))?.plan).toBe('free');
        readWithinMs = performance.now() - beforeMs;
        await sleep(200);
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toThrow(AppError);
      // Had it been a part of the transaction, it would have been rolled back with it.
      expect(await other[0]).toMatchObject({ name: 'bystander' });
      expect((await store.accounts.find(account.id))?.plan).toBe('free');
      expect(readWithinMs).toBeLessThan(150);
    });
  });

  describe('quotas', () => {
    it('200 simultaneous reservations against a limit of 100 take exactly 100', async () => {
      const account = await createAccount();
      const taken = await Promise.all(Array.from({ length: 200 }, () => reserve(account.id, 1, 100)));
      expect(taken.filter((reservation) => reservation !== null)).toHaveLength(100);
      expect(await usedSeconds(account.id)).toBe(100);
    });

    it('the same holds inside transactions that write other things too', async () => {
      const account = await createAccount();
      const accepted = await Promise.all(
        Array.from({ length: 200 }, () =>
          store.transaction(async (transaction) => {
            const record = newRecord(account.id);
            const ask = { accountId: account.id, unit: 'stt_seconds', amount: 1, limit: 100 } as const;
            if ((await transaction.quotas.reserve({ ...ask, requestId: record.id })) === null) return false;
            await transaction.transcriptions.insert(record);
            return true;
          }),
        ),
      );
      expect(accepted.filter(Boolean)).toHaveLength(100);
      expect(await usedSeconds(account.id)).toBe(100);
      expect(await store.transcriptions.list(account.id, { limit: 1_000 })).toHaveLength(100);
    });

    it('takes all or nothing, up to the limit and not beyond', async () => {
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

    it('settle and release count once, whichever comes first and however often', async () => {
      const account = await createAccount();
      await reserve(account.id, 50, 100, 'settled');
      await reserve(account.id, 30, 100, 'released');
      await store.quotas.settle('settled', 20);
      await store.quotas.settle('settled', 1);
      await store.quotas.release('settled');
      expect(await usedSeconds(account.id)).toBe(50);
      await Promise.all(Array.from({ length: 20 }, () => store.quotas.release('released')));
      expect(await usedSeconds(account.id)).toBe(20);
      await store.quotas.release('never reserved');
      expect(await usedSeconds(account.id)).toBe(20);
    });

    it('of a settle and a release at once exactly one counts', async () => {
      const account = await createAccount();
      for (let round = 0; round < 10; round++) {
        const requestId = crypto.randomUUID();
        const before = await usedSeconds(account.id);
        await reserve(account.id, 9, null, requestId);
        await Promise.all([store.quotas.settle(requestId, 4), store.quotas.release(requestId)]);
        expect([0, 4]).toContain((await usedSeconds(account.id)) - before);
      }
    });

    it('work that used more than was reserved is charged in full', async () => {
      const account = await createAccount();
      await reserve(account.id, 10, 100, 'longer');
      await store.quotas.settle('longer', 13);
      expect(await usedSeconds(account.id)).toBe(13);
    });

    it('asking twice for one request takes its units once', async () => {
      const account = await createAccount();
      const requestId = crypto.randomUUID();
      const asked = await Promise.all(Array.from({ length: 5 }, () => reserve(account.id, 7, 100, requestId)));
      expect(new Set(asked.map((reservation) => reservation?.id)).size).toBe(1);
      expect(await usedSeconds(account.id)).toBe(7);
    });

    it('a month begins anew at midnight UTC, and units return to the month they were taken from', async () => {
      const account = await createAccount();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 30, 23, 59, 59) });
      await reserve(account.id, 100, 100, 'november');
      expect(await reserve(account.id, 1, 100)).toBeNull();
      vi.setSystemTime(Date.UTC(2026, 11, 1, 0, 0, 1));
      expect(await reserve(account.id, 40, 100)).toMatchObject({ period: '2026-12' });
      await store.quotas.release('november');
      expect(await usedSeconds(account.id, '2026-11')).toBe(0);
      expect(await usedSeconds(account.id, '2026-12')).toBe(40);
      expect(await usedSeconds(account.id)).toBe(40);
    });

    it('what a dead process reserved is given back, what a waiting transcription holds is not', async () => {
      const account = await createAccount();
      await reserve(account.id, 5, null, 'died with its process');
      const waiting = newRecord(account.id);
      await store.transcriptions.insert(waiting);
      await reserve(account.id, 11, null, waiting.id);
      expect(await store.quotas.releaseAbandoned(Date.now() - 60_000)).toBe(0);
      await store.quotas.releaseAbandoned(Date.now() + 1);
      expect(await usedSeconds(account.id)).toBe(11);
    });
  });

  it('answers a ping, and no longer once it is closed', async () => {
    const second = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
    await expect(second.ping()).resolves.toBeUndefined();
    await second.close();
    await expect(second.ping()).rejects.toThrow(Error);
  });
});

function randomHash(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
}
