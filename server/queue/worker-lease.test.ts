import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest } from '#test/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { takeLease } from './worker-lease.ts';

const TIMING = { heartbeatMs: 50, leaseMs: 1_000 };

describe.each(databasesToTest())('a lease on $name', (database) => {
  let opened: TestStore;
  beforeAll(async () => void (opened = await openTestStore(database)));
  afterAll(() => opened.close());

  it('is kept for others after a time without any heartbeats, and then ends', async () => {
    const { workers } = opened.store;
    const isThere = async () => (await workers.list()).some(({ id }) => id === 'other');
    /** After each sweep, whether the other is registered. */
    const seen: boolean[] = [];
    const errors: unknown[] = [];
    const lease = await takeLease(opened.store, TIMING, {
      onLost: () => {},
      onSwept: async () => void seen.push(await isThere()),
      onError: (error) => errors.push(error),
    });
    await workers.register({ id: 'other', host: 'another machine', pid: 1 });
    await expect.poll(() => seen.at(-1)).toBe(true);
    // Like an outage: no heartbeat can be sent.
    const untilMs = performance.now() + 1.5 * TIMING.leaseMs;
    while (performance.now() < untilMs);
    const before = seen.length;
    await expect.poll(() => seen.length).toBeGreaterThan(before);
    expect(seen[before]).toBe(true);
    await expect.poll(isThere).toBe(false);
    await lease.release();
    expect(errors).toEqual([]);
  });
});
