import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '@jyutsing/system/process-host';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { takeLease, type WorkerLease } from './worker-lease.ts';

const TIMING = { heartbeatMs: 150, leaseMs: 1_000 };
const POLL = { timeout: 60_000 };

describe.each(databasesToTest())('a lease of another machine on $name', (database) => {
  let opened: TestStore;
  let lease: WorkerLease | null;
  let errors: unknown[];
  /** After each sweep, whether the other is registered. */
  let seen: boolean[];

  beforeAll(async () => void (opened = await openTestStore(database)));
  beforeEach(() => {
    [lease, errors, seen] = [null, [], []];
  });
  afterEach(() => lease?.release());
  afterAll(() => opened.close());

  const isThere = async () => (await opened.store.workers.list()).some(({ id }) => id === 'other');
  /** The other is registered, and sent its last heartbeat so long ago. */
  const registerOther = async (heartbeatAgeMs: number, place = { host: 'another machine', pid: 1 }) => {
    await opened.store.workers.register({ id: 'other', ...place });
    await opened.store.transaction(({ raw }) =>
      raw.executeSql(`update workers set beat_at_ms = beat_at_ms - ${heartbeatAgeMs} where id = 'other'`),
    );
  };
  const start = async () => {
    lease = await takeLease(opened.store, TIMING, {
      onLost: () => {},
      onSwept: async () => void seen.push(await isThere()),
      onError: (error) => errors.push(error),
    });
  };
  /** Waits until this process, which spares all at its start, removes others. */
  const untilOthersAreRemoved = async () => {
    await registerOther(TIMING.leaseMs);
    await expect.poll(isThere, POLL).toBe(false);
  };

  it.each([
    ['longer than a lease', 0, 1.5],
    ['shorter than a lease', 0.6, 0.6],
  ])('is kept after an outage %s, and then ends', async (_name, ageInLeases, gapInLeases) => {
    await start();
    await untilOthersAreRemoved();
    await registerOther(ageInLeases * TIMING.leaseMs);
    await expect.poll(() => seen.at(-1)).toBe(true);
    // As in an outage, no heartbeat can be sent.
    const untilMs = performance.now() + gapInLeases * TIMING.leaseMs;
    while (performance.now() < untilMs);
    const before = seen.length;
    await expect.poll(() => seen.length).toBeGreaterThan(before + 2);
    expect(seen.slice(before, before + 3)).toEqual([true, true, true]);
    await expect.poll(isThere, POLL).toBe(false);
    expect(errors).toEqual([]);
  });

  it('ends when no heartbeat follows, though the clock of the database was set back by an hour', async () => {
    await registerOther(-3_600_000);
    await start();
    expect(seen).toEqual([true]);
    await expect.poll(isThere, POLL).toBe(false);
    expect(errors).toEqual([]);
  });

  it('ends at once when its process is gone from this machine, though the clock was set back', async () => {
    await registerOther(-3_600_000, { host: thisProcess().host, pid: 2 ** 30 });
    await start();
    expect(seen).toEqual([false]);
  });

  it('can be released though the clock was set back', async () => {
    await registerOther(-3_600_000);
    await opened.store.workers.remove('other', 0);
    expect(await isThere()).toBe(false);
  });

  it('is kept by a process that starts after an outage, and ends when no heartbeat follows', async () => {
    await registerOther(10 * TIMING.leaseMs);
    await start();
    expect(seen).toEqual([true]);
    await expect.poll(() => seen.length).toBeGreaterThan(3);
    expect(await opened.store.workers.heartbeat('other')).toBe(true);
    await expect.poll(isThere, POLL).toBe(false);
    expect(errors).toEqual([]);
  });
});
