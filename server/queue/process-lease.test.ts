import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '#store/store.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { HolderOptions } from '#test/queue/holder-process.ts';
import { startProcess, stopBetweenWrites, type WorkerProcess } from '#test/queue/test-queues.ts';
import { takeProcessLease } from './process-lease.ts';
import type { LeaseTiming } from './worker-lease.ts';

const LEASE: LeaseTiming = { heartbeatMs: 200, leaseMs: 1_200 };
/** Never expires within a test; only the end of the process ends it. */
const LONG_LEASE: LeaseTiming = { heartbeatMs: 100, leaseMs: 600_000 };
const UNITS = 5;
const POLL = { timeout: 60_000 };

describe.each(databasesToTest())('quota reserved by a process, on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  let accountId: string;
  let holder: WorkerProcess;
  let errors: unknown[];
  let release: (() => Promise<void>) | null;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  beforeEach(async () => {
    [errors, release] = [[], null];
    ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' }));
    const { databaseUrl, dataDir } = opened;
    const options: HolderOptions = { databaseUrl, dataDir, accountId, units: UNITS, lease: LEASE };
    holder = startProcess('holder-process.ts', options);
    await holder.printed('reserved');
  });
  afterEach(async () => {
    await holder.kill();
    await release?.();
    expectNoErrors(errors, holder);
  });
  afterAll(() => opened.close());

  const used = async () => (await store.quotas.used(accountId)).video_summaries;
  const changeWorkers = (set: string) => store.transaction(({ raw }) => raw.executeSql(`update workers set ${set}`));
  const start = async (timing: LeaseTiming) => {
    ({ release } = await takeProcessLease(store, (error) => errors.push(error), timing));
  };

  it('is released at once by the next process on the machine after a kill', async () => {
    await holder.kill();
    expect(await used()).toBe(UNITS);
    await start(LONG_LEASE);
    expect(await used()).toBe(0);
  });

  it('is released by a running process after a kill', async () => {
    await start(LONG_LEASE);
    await holder.kill();
    await expect.poll(used, POLL).toBe(0);
  });

  it('is released when the lease of a process on another machine has expired, and not before', async () => {
    await holder.kill();
    await changeWorkers(`host = 'another machine'`);
    await start(LONG_LEASE);
    expect(await used()).toBe(UNITS);
    await release?.();
    await changeWorkers(`beat_at_ms = beat_at_ms - ${LEASE.leaseMs}`);
    await start(LEASE);
    await expect.poll(used, POLL).toBe(0);
  });

  it('stays reserved while the process lives, until the process settles it', async () => {
    await start(LONG_LEASE);
    await store.quotas.releaseOrphaned();
    await store.quotas.releaseAbandoned(Date.now() + 60_000);
    expect(await used()).toBe(UNITS);
    holder.signal('SIGUSR2');
    await holder.printed('settled');
    await holder.kill();
    await store.quotas.releaseAbandoned(Date.now() + 60_000);
    expect(await used()).toBe(UNITS);
  });

  it('is reclaimed by a process that was only suspended, and charged once', async () => {
    await start(LEASE);
    await stopBetweenWrites(holder, store);
    await expect.poll(used, POLL).toBe(0);
    holder.signal('SIGCONT');
    await expect.poll(used, POLL).toBe(UNITS);
    holder.signal('SIGUSR2');
    await holder.printed('settled');
    await sleep(2 * LEASE.heartbeatMs);
    expect(await used()).toBe(UNITS);
  });
});

function expectNoErrors(errors: readonly unknown[], holder: WorkerProcess): void {
  expect(errors).toEqual([]);
  expect(holder.lines.filter((line) => line.startsWith('error'))).toEqual([]);
}
