import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHIPPED_PLANS } from '#features/accounts/plans.ts';
import type { Caller } from '#http/authentication.ts';
import { uncertainCommit } from '#store/database-errors.ts';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { audioQuotaExceeded, createAudioQuota } from './audio-quota.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
});
afterAll(() => opened.close());

/** A new account with so many seconds a month; null: unlimited. */
async function callerWith(limit: number | null): Promise<Caller> {
  const account = await store.accounts.create({ name: 'speaker', plan: 'free' });
  const stored = { name: 'key', prefix: 'jyut-', sha256: account.id, scopes: [] };
  const free = SHIPPED_PLANS['free']!;
  return {
    account,
    key: await store.keys.create(account.id, stored),
    plan: { ...free, quotas: { ...free.quotas, stt_seconds: limit } },
  };
}
const quotaOf = (caller: Caller, watched = store) =>
  createAudioQuota({ store: watched, logger: createLogger('silent') }, caller);
const used = async ({ account }: Caller) => (await store.quotas.used(account.id)).stt_seconds;

describe('the quota of live sound', () => {
  it.each([100, null])('is taken in steps of 10 s (limit %s)', async (limit) => {
    const caller = await callerWith(limit);
    const quota = quotaOf(caller);
    const steps: [seconds: number, held: number][] = [
      [0.1, 10],
      [9.5, 10],
      [10, 10],
      [10.01, 20],
      [35, 40],
      [12, 40],
    ];
    for (const [seconds, held] of steps) {
      expect(await quota.cover(seconds)).toBe(seconds);
      expect(await used(caller)).toBe(held);
    }
  });

  it('is charged in whole seconds, and the rest given back', async () => {
    const caller = await callerWith(100);
    const quota = quotaOf(caller);
    await quota.cover(21);
    await quota.settle(20.01);
    expect(await used(caller)).toBe(21);
  });

  it('of a client that sent nothing is not used', async () => {
    const caller = await callerWith(100);
    await quotaOf(caller).settle(0);
    expect(await used(caller)).toBe(0);
  });

  it.each<[string, { limit: number; isAnswered: boolean }, string[]]>([
    ['was refused ends nothing', { limit: 0, isAnswered: true }, []],
    ['was reserved and not used is released', { limit: 100, isAnswered: true }, ['settle 0']],
    ['may have been reserved is released', { limit: 100, isAnswered: false }, ['releaseUncertain']],
  ])('that %s', async (_name, { limit, isAnswered }, expected) => {
    const caller = await callerWith(limit);
    const { quotas } = store;
    const ends: string[] = [];
    const watched: Store['quotas'] = {
      ...quotas,
      async reserve(ask) {
        const reservation = await quotas.reserve(ask);
        if (isAnswered) return reservation;
        throw uncertainCommit('unreachable');
      },
      async settle(id, amount) {
        ends.push(`settle ${amount}`);
        await quotas.settle(id, amount);
      },
      async releaseUncertain(id) {
        ends.push('releaseUncertain');
        await quotas.releaseUncertain(id);
      },
    };
    const quota = quotaOf(caller, { ...store, quotas: watched });
    await quota.cover(1).catch(() => {});
    await quota.settle(0);
    expect(ends).toEqual(expected);
    expect(await used(caller)).toBe(0);
  });

  it('is charged once', async () => {
    const caller = await callerWith(100);
    const quota = quotaOf(caller);
    await quota.cover(3);
    await Promise.all([quota.settle(3), quota.settle(3)]);
    await quota.settle(3);
    expect(await used(caller)).toBe(3);
  });

  it.each([
    ['less than a step', 7],
    ['a step and a half', 15],
    ['whole steps', 20],
  ])('covers all that is left: %s', async (_name, limit) => {
    const caller = await callerWith(limit);
    const quota = quotaOf(caller);
    const covered: number[] = [];
    for (let second = 1; second <= 25; second += 1) covered.push(await quota.cover(second));
    expect(covered).toEqual(Array.from({ length: 25 }, (_, index) => Math.min(index + 1, limit)));
    expect(await used(caller)).toBe(limit);
    await quota.settle(limit);
    expect(await used(caller)).toBe(limit);
  });

  it('covers nothing where there is none', async () => {
    const caller = await callerWith(0);
    const quota = quotaOf(caller);
    expect(await quota.cover(1)).toBe(0);
    await quota.settle(0);
    expect(await used(caller)).toBe(0);
  });

  it('is shared by the clients of an account, and never exceeded', async () => {
    const caller = await callerWith(45);
    const quotas = Array.from({ length: 8 }, () => quotaOf(caller));
    const covered = await Promise.all(quotas.map((quota) => quota.cover(10)));
    expect(await used(caller)).toBe(45);
    expect(covered.reduce((sum, seconds) => sum + seconds, 0)).toBe(45);
    await Promise.all(quotas.map((quota, index) => quota.settle(covered[index]!)));
    expect(await used(caller)).toBe(45);
  });
});

describe('a client that leaves while quota is reserved', () => {
  it.each([
    ['for its first sound', 0],
    ['for more sound', 8],
  ])('%s pays what it used', async (_name, before) => {
    const caller = await callerWith(100);
    const quota = quotaOf(caller);
    if (before > 0) await quota.cover(before);
    const covering = quota.cover(before + 10);
    await quota.settle(before);
    await covering;
    expect(await used(caller)).toBe(before);
  });

  it('reserves nothing afterwards', async () => {
    const caller = await callerWith(100);
    const quota = quotaOf(caller);
    await quota.cover(4);
    await quota.settle(4);
    expect(await quota.cover(30)).toBe(0);
    expect(await used(caller)).toBe(4);
  });
});

it('the refusal says when the quota is renewed', async () => {
  const { code, status, retryAfterSeconds } = audioQuotaExceeded(await callerWith(1));
  expect([code, status]).toEqual(['quota_exceeded', 429]);
  // A month from the creation of the account, which was just now.
  expect(retryAfterSeconds).toBeGreaterThan(27 * 86_400);
  expect(retryAfterSeconds).toBeLessThanOrEqual(31 * 86_400);
});
