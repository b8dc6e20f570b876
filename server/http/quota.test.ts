import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { planOf, SHIPPED_PLANS } from '#features/accounts/plans.ts';
import { uncertainCommit } from '#store/database-errors.ts';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import type { Caller } from './authentication.ts';
import { withQuota, type QuotaCharge } from './quota.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

/** Video summaries of the caller's plan. */
const LIMIT = 5;
const logger = createLogger('silent');
let opened: TestStore;
let store: Store;
let caller: Caller;
beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
});
beforeEach(async () => {
  const account = await store.accounts.create({ name: 'somebody', plan: 'free' });
  const stored = { name: 'key', scopes: [], prefix: 'js_ab', sha256: account.id };
  caller = { account, key: await store.keys.create(account.id, stored), plan: planOf(SHIPPED_PLANS, 'free') };
});
afterAll(() => opened.close());

const chargeOf = (change: Partial<QuotaCharge> = {}): QuotaCharge => ({
  caller,
  unit: 'video_summaries',
  amount: 1,
  hasLeft: () => false,
  whenClientLeaves: 'release',
  ...change,
});
const request = <Result>(work: () => Promise<Result>, change?: Partial<QuotaCharge>): Promise<Result> =>
  withQuota({ store, logger }, chargeOf(change), work);
const used = async () => (await store.quotas.used(caller.account.id)).video_summaries;
const fail = () => Promise.reject(new AppError('upstream_unavailable'));
const rename = (from: string, to: string) =>
  store.transaction(({ raw }) => raw.executeSql(`alter table ${from} rename to ${to}`));

test('quota is reserved before the work and settled after it', async () => {
  expect(await request(used)).toBe(1);
  expect(await used()).toBe(1);
});

test('finished work may cost something else than was reserved', async () => {
  const costs: number[] = [];
  for (const cost of [0, 2]) {
    await withQuota(
      { store, logger },
      chargeOf(),
      () => Promise.resolve(cost),
      (result) => result,
    );
    costs.push(await used());
  }
  expect(costs).toEqual([0, 2]);
});

test('failed work releases its quota and throws its error', async () => {
  await expect(request(fail)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(await used()).toBe(0);
});

test.each([
  ['settle', 1],
  ['release', 0],
] as const)('a client that leaves before the work is done: %s', async (whenClientLeaves, expected) => {
  await expect(request(fail, { hasLeft: () => true, whenClientLeaves })).rejects.toThrow(AppError);
  expect(await used()).toBe(expected);
  await request(() => Promise.resolve(), { hasLeft: () => true, whenClientLeaves });
  expect(await used()).toBe(expected + 1);
});

test('a reservation whose commit was not answered is released', async () => {
  const { quotas } = store;
  const reserve: typeof quotas.reserve = async (ask) => {
    await quotas.reserve(ask);
    throw uncertainCommit('unreachable');
  };
  const unanswered: Store = { ...store, quotas: { ...quotas, reserve } };
  const refused = withQuota({ store: unanswered, logger }, chargeOf(), () => Promise.resolve());
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect.poll(used).toBe(0);
});

test('work beyond the quota does not start, and the message names the remaining quota', async () => {
  let begun = false;
  const refused = request(async () => void (begun = true), { amount: LIMIT + 1 });
  await expect(refused).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: 'This request costs 6 video summaries of the monthly quota, of which 5 are left.',
    // Until the quota is renewed, which takes a month at most.
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 31 * 86_400),
  });
  expect([begun, await used()]).toEqual([false, 0]);
});

test('of fifty simultaneous requests that mostly fail, exactly the served ones are charged', async () => {
  let served = 0;
  const requests = Array.from({ length: 50 }, (_, index) =>
    request(index % 5 === 0 ? async () => void (served += 1) : fail),
  );
  await Promise.allSettled(requests);
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThanOrEqual(LIMIT);
  expect(await used()).toBe(served);
});

test('a database failure after the work does not fail the request, and the charge is settled later', async () => {
  const served = request(async () => {
    await rename('quota_reservations', 'lost');
    return 'the summary';
  });
  expect(await served).toBe('the summary');
  await rename('lost', 'quota_reservations');
  await store.quotas.endOverdue();
  await store.quotas.releaseAbandoned(Date.now() + 60_000);
  expect(await used()).toBe(1);
});

test('quota of failed work is released after a database failure', async () => {
  const failed = request(async () => {
    await rename('quota_reservations', 'lost');
    return fail();
  });
  await expect(failed).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(await used()).toBe(1);
  await rename('lost', 'quota_reservations');
  await store.quotas.endOverdue();
  expect(await used()).toBe(0);
});
