import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

function counterOf({ sharedUses }: Store) {
  if (sharedUses === null) throw new Error('PostgreSQL counts for all processes');
  return sharedUses;
}

function register({ workers, processId }: Store): Promise<void> {
  return workers.register({ id: processId, host: 'test', pid: process.pid });
}

describe.each(postgres)('running requests of two processes on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let stores: [Store, Store];
  beforeAll(async () => {
    opened = await database.open();
    const open = () => openStore({ databaseUrl: opened.databaseUrl, dataDir: '' });
    stores = [await open(), await open()];
    for (const store of stores) await register(store);
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await opened.close();
  });

  const newAccount = async () => (await stores[0].accounts.create({ name: 'a', plan: 'free' })).id;
  const take = (index: 0 | 1, account: string, limit: number | null) =>
    counterOf(stores[index]).take(account, 'speech', limit);
  const speechOf = async (account: string) => (await counterOf(stores[1]).inUse(account)).speech;

  it('never exceed the limit, whatever order they come in', async () => {
    const account = await newAccount();
    for (let round = 1; round <= 20; round += 1) {
      const taken = await Promise.all(
        Array.from({ length: 12 }, (_, index) => take(index % 2 === 0 ? 0 : 1, account, 5)),
      );
      const byStore = [0, 1].map((store) => taken.filter((isTaken, index) => isTaken && index % 2 === store).length);
      expect([round, byStore[0]! + byStore[1]!, await speechOf(account)]).toEqual([round, 5, 5]);
      byStore.forEach((count, store) => {
        for (let left = count; left > 0; left -= 1) counterOf(stores[store]!).release(account, 'speech');
      });
      await expect.poll(() => speechOf(account)).toBe(0);
    }
  });

  it('are counted without a limit, for each account alone', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    for (const index of [0, 1, 1] as const) expect(await take(index, account, null)).toBe(true);
    expect([await speechOf(account), await speechOf(other)]).toEqual([3, 0]);
    expect(await take(0, account, 3)).toBe(false);
    expect(await take(0, other, 1)).toBe(true);
  });

  it('end with the lease of their process, and count again when it takes the lease again', async () => {
    const account = await newAccount();
    expect(await take(0, account, 2)).toBe(true);
    await stores[0].workers.remove(stores[0].processId, 0);
    expect(await speechOf(account)).toBe(0);
    for (const _ of [1, 2]) expect(await take(1, account, 2)).toBe(true);
    await register(stores[0]);
    counterOf(stores[0]).restore();
    await expect.poll(() => speechOf(account)).toBe(3);
    expect(await take(1, account, 3)).toBe(false);
  });

  it('of a deleted account end without an error', async () => {
    const account = await newAccount();
    expect(await take(0, account, 2)).toBe(true);
    await stores[0].accounts.delete(account);
    counterOf(stores[0]).release(account, 'speech');
    expect(await take(0, account, 2)).toBe(false);
    expect(await speechOf(account)).toBe(0);
  });
});
