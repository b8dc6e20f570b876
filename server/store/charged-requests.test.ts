import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { MAX_REPEATS } from './charged-requests.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from './idempotency-keys.ts';
import type { Store } from './store.ts';

describe.each(databasesToTest())('charged requests on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
    ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' }));
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => opened.close());

  /** Claims a key and reserves 5 units, as a request does. */
  const request = (key: string, { requestSha256 = 'the request', id = crypto.randomUUID() as string } = {}) =>
    store.transaction(async ({ chargedRequests, quotas }) => {
      const state = await chargedRequests.claim({ accountId, key, requestSha256, reservationId: id });
      const ask = { accountId, unit: 'tts_characters', amount: 5, limit: null, requestId: id } as const;
      if (state === 'new') await quotas.reserve({ ...ask, heldBy: 'process' });
      return { state, id };
    });
  const stateOf = async (key: string, requestSha256?: string) =>
    (await request(key, requestSha256 === undefined ? {} : { requestSha256 })).state;
  const used = async () => (await store.quotas.used(accountId)).tts_characters;

  it('of 20 at once one is new, and the others see it running', async () => {
    const before = await used();
    const states = await Promise.all(Array.from({ length: 20 }, () => stateOf('twenty')));
    expect(states.toSorted()).toEqual(['new', ...Array.from({ length: 19 }, () => 'running')]);
    expect((await used()) - before).toBe(5);
  });

  it('a settled request is paid, and may be repeated a number of times', async () => {
    const { id } = await request('paid');
    await store.quotas.settle(id, 5);
    const before = await used();
    const states = await Promise.all(Array.from({ length: MAX_REPEATS + 5 }, () => stateOf('paid')));
    expect(states.filter((state) => state === 'paid')).toHaveLength(MAX_REPEATS);
    expect(states.filter((state) => state === 'used-up')).toHaveLength(5);
    expect(await used()).toBe(before);
  });

  it('a released request leaves its key free, also for another request', async () => {
    const { id } = await request('released');
    await store.quotas.release(id);
    expect(await stateOf('released', 'another')).toBe('new');
  });

  it('another request with the key of one that runs or was paid is told apart', async () => {
    const { id } = await request('other');
    expect(await stateOf('other', 'another')).toBe('different');
    await store.quotas.settle(id, 5);
    expect(await stateOf('other', 'another')).toBe('different');
  });

  it('a key expires after a day, and is deleted', async () => {
    const { id } = await request('yesterday');
    await store.quotas.settle(id, 5);
    vi.setSystemTime(Date.now() + IDEMPOTENCY_KEY_LIFETIME_MS + 1_000);
    const again = await request('yesterday', { requestSha256: 'another' });
    expect(again.state).toBe('new');
    expect(await store.chargedRequests.deleteExpired()).toBeGreaterThan(0);
    expect(await stateOf('yesterday', 'another')).toBe('running');
  });

  it('a request whose process died is free again; the process charges nothing when it returns', async () => {
    await store.workers.register({ id: store.processId, host: 'here', pid: 1 });
    const before = await used();
    const { id } = await request('died');
    await store.workers.remove(store.processId, 0);
    expect(await stateOf('died')).toBe('running');
    await store.quotas.releaseOrphaned();
    const again = await request('died');
    expect(again.state).toBe('new');
    await store.quotas.settle(id, 5);
    await store.quotas.settle(again.id, 5);
    expect((await used()) - before).toBe(5);
    expect(await stateOf('died')).toBe('paid');
  });

  it('a process that was only believed dead and returns first has charged the request', async () => {
    await store.workers.register({ id: store.processId, host: 'here', pid: 1 });
    const { id } = await request('slept');
    await store.workers.remove(store.processId, 0);
    await store.quotas.releaseOrphaned();
    await store.quotas.settle(id, 5);
    expect(await stateOf('slept')).toBe('paid');
  });
});
