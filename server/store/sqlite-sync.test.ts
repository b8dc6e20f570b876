import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { openStore } from './open-store.ts';
import { openSqliteSync, shareRuns } from './sqlite-sync.ts';

const WAIT_MS = { timeout: 60_000, interval: 5 };

afterEach(() => vi.restoreAllMocks());

/** Runs that end when they are told to, in the order of their starts. */
function controlledRuns() {
  const ends: PromiseWithResolvers<void>[] = [];
  const run = () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { ends, run };
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

describe('shared runs', () => {
  it('calls at the same time share one run', async () => {
    const { ends, run } = controlledRuns();
    const call = shareRuns(run);
    const calls = [call(), call(), call()];
    await someTurns();
    expect(ends).toHaveLength(1);
    ends[0]!.resolve();
    await Promise.all(calls);
  });

  it('a call during a run gets the next one, which begins after that', async () => {
    const { ends, run } = controlledRuns();
    const call = shareRuns(run);
    const first = call();
    await someTurns();
    let done = 0;
    const later = [call(), call()].map((result) => result.then(() => (done += 1)));
    await someTurns();
    expect(ends).toHaveLength(1);
    ends[0]!.resolve();
    await first;
    await someTurns();
    expect([ends.length, done]).toEqual([2, 0]);
    ends[1]!.resolve();
    await Promise.all(later);
  });

  it('a failure reaches all who share the run, and not the next', async () => {
    const { ends, run } = controlledRuns();
    const call = shareRuns(run);
    const failing = [call(), call()];
    await someTurns();
    const next = call();
    ends[0]!.reject(new RangeError('no'));
    for (const result of failing) await expect(result).rejects.toThrow('no');
    await someTurns();
    ends[1]!.resolve();
    await next;
  });
});

describe('the sync of a log', () => {
  it('after a failure waits for a checkpoint that succeeds, and says so meanwhile', async () => {
    let isAllowed = false;
    // A device cannot be synced (EINVAL).
    const sync = await openSqliteSync('/dev/null', () => isAllowed);
    sync.assertWorking();
    let isDone = false;
    const done = sync.toDisk().then(() => (isDone = true));
    await vi.waitFor(() => expect(() => sync.assertWorking()).toThrow('cannot be read or written'), WAIT_MS);
    expect(isDone).toBe(false);
    isAllowed = true;
    await done;
    sync.assertWorking();
    await sync.close();
  });

  it('that fails ends with an error when it is closed', async () => {
    const sync = await openSqliteSync('/dev/null', () => false);
    const outcome = sync.toDisk().catch((error: unknown) => error);
    await vi.waitFor(() => expect(() => sync.assertWorking()).toThrow(AppError), WAIT_MS);
    await sync.close();
    expect(await outcome).toMatchObject({ code: 'service_unavailable' });
  });
});

describe('a write of the store', () => {
  it('is acknowledged when it is on disk; others and reads go on meanwhile', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ databaseUrl: null, dataDir: folder.path });
    const { ends, run } = controlledRuns();
    const spy = vi.spyOn(await fileHandlePrototype(folder.path), 'datasync').mockImplementation(run);
    const acknowledged: string[] = [];
    const create = async (name: string) => {
      await store.accounts.create({ name, plan: 'free' });
      acknowledged.push(name);
    };
    const first = create('first');
    await someTurns();
    const laterCalls = [create('second'), create('third')];
    await someTurns();
    const names = (await store.accounts.list()).map(({ name }) => name);
    expect([names.toSorted(), acknowledged, ends.length]).toEqual([['first', 'second', 'third'], [], 1]);
    ends[0]!.resolve();
    await first;
    await someTurns();
    // The first sync began before the other two were written.
    expect([acknowledged, ends.length]).toEqual([['first'], 2]);
    ends[1]!.resolve();
    await Promise.all(laterCalls);
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    await store.close();
  });

  it('that changes nothing waits for what it may have read, and otherwise for nothing', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ databaseUrl: null, dataDir: folder.path });
    const { ends, run } = controlledRuns();
    const spy = vi.spyOn(await fileHandlePrototype(folder.path), 'datasync').mockImplementation(run);
    expect(await store.keys.delete('unknown')).toBe(false);
    expect(ends).toHaveLength(0);
    const creating = store.accounts.create({ name: 'x', plan: 'free' });
    await someTurns();
    const answered: string[] = [];
    const laterCalls = [
      store.keys.delete('unknown').then(() => answered.push('deletion')),
      store.idempotencyKeys.find('account', 'key').then(() => answered.push('find')),
    ];
    await someTurns();
    expect([ends.length, answered]).toEqual([1, []]);
    ends[0]!.resolve();
    await creating;
    await someTurns();
    ends[1]!.resolve();
    await Promise.all(laterCalls);
    expect(await store.keys.delete('unknown')).toBe(false);
    expect(ends).toHaveLength(2);
    spy.mockRestore();
    await store.close();
  });

  it('that cannot be synced waits for a checkpoint; others are refused before they write', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ databaseUrl: null, dataDir: folder.path });
    const create = (name: string) => store.accounts.create({ name, plan: 'free' });
    const names = async () => (await store.accounts.list()).map(({ name }) => name).toSorted();
    const spy = vi.spyOn(await fileHandlePrototype(folder.path), 'datasync');
    const failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
    spy.mockRejectedValueOnce(failure);
    await create('checkpointed');
    // A transaction that reads the log keeps a checkpoint from emptying it.
    const reading = new Sqlite(join(folder.path, 'jyutsing.db'), { readonly: true });
    reading.exec('begin; select count(*) from accounts');
    spy.mockRejectedValueOnce(failure);
    let isDone = false;
    const waiting = create('waiting').then(() => (isDone = true));
    const unavailable = { code: 'service_unavailable', message: expect.stringContaining('cannot be read or written') };
    await vi.waitFor(() => expect(store.check()).rejects.toMatchObject(unavailable), WAIT_MS);
    await expect(create('refused')).rejects.toMatchObject(unavailable);
    expect([await names(), isDone]).toEqual([['checkpointed', 'waiting'], false]);
    reading.close();
    await waiting;
    await store.check();
    await create('later');
    expect(await names()).toEqual(['checkpointed', 'later', 'waiting']);
    await store.close();
  });
});

async function fileHandlePrototype(folder: string): Promise<FileHandle> {
  const handle = await open(join(folder, 'any'), 'w');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
