import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

describe.each(databasesToTest())('the store on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const createAccount = (): Promise<Account> => store.accounts.create({ name: 'an account', plan: 'free' });

  describe('accounts and keys', () => {
    it('a key is found by its hash, with its current account, until it is revoked', async () => {
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

    it('missing rows give null, false or an empty list, not an error', async () => {
      expect(await store.accounts.find('unknown')).toBeNull();
      expect(await store.accounts.update('unknown', { plan: 'pro' })).toBeNull();
      expect(await store.keys.findByHash('00')).toBeNull();
      expect(await store.keys.revoke('unknown')).toBe(false);
      expect(await store.keys.list('unknown')).toEqual([]);
    });

    it('a change of the plan keeps the blocking, and hostile text is stored unchanged', async () => {
      const name = `Robert'); DROP TABLE accounts;-- 粵聲 \u{1F3A4}`;
      const account = await store.accounts.create({ name, plan: 'free' });
      await store.accounts.update(account.id, { blocked: true });
      await store.accounts.update(account.id, { plan: 'pro' });
      expect(await store.accounts.find(account.id)).toEqual({ ...account, plan: 'pro', blocked: true });
      expect((await store.accounts.list()).map((listed) => listed.id)).toContain(account.id);
      const plans = await store.accounts.plansInUse();
      expect(plans).toContain((await store.accounts.find(account.id))?.plan);
      expect(plans).toEqual([...new Set(plans)].toSorted());
    });
  });

  describe('transactions', () => {
    it('a failed transaction writes nothing, and its error is rethrown', async () => {
      let id = '';
      const failing = store.transaction(async (transaction) => {
        id = (await transaction.accounts.create({ name: 'x', plan: 'free' })).id;
        expect(await transaction.accounts.find(id)).not.toBeNull();
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.accounts.find(id)).toBeNull();
    });

    it('`afterCommit` callbacks run after the commit, and never after a rollback', async () => {
      const called: string[] = [];
      await store.transaction(async (transaction) => {
        transaction.raw.afterCommit(() => called.push('committed'));
        expect(called).toEqual([]);
      });
      const failing = store.transaction(async (transaction) => {
        transaction.raw.afterCommit(() => called.push('rolled back'));
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toThrow(AppError);
      expect(called).toEqual(['committed']);
    });

    it('concurrent statements are not part of a transaction, and reads do not wait for it', async () => {
      const account = await createAccount();
      const other: Promise<unknown>[] = [];
      const failing = store.transaction(async (transaction) => {
        await transaction.accounts.update(account.id, { plan: 'inside' });
        const bystander = store.accounts.create({ name: 'bystander', plan: 'free' });
        other.push(bystander.then((created) => store.accounts.find(created.id)));
        // One that waited for the transaction would never end.
        expect((await store.accounts.find(account.id))?.plan).toBe('free');
        await sleep(200);
        throw new AppError('conflict');
      });
      await expect(failing).rejects.toThrow(AppError);
      // As part of the transaction it would have been rolled back.
      expect(await other[0]).toMatchObject({ name: 'bystander' });
      expect((await store.accounts.find(account.id))?.plan).toBe('free');
    });
  });

  it('a check succeeds until the store is closed', async () => {
    const second = await openStore({ databaseUrl: opened.databaseUrl, dataDir: opened.dataDir });
    await expect(second.check()).resolves.toBeUndefined();
    await second.close();
    await expect(second.check()).rejects.toThrow(Error);
  });
});

function randomHash(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
}
