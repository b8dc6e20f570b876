import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#test/service.ts';
import { openStore } from './open-store.ts';
import { openSqliteSync, shareRuns } from './sqlite-sync.ts';

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
    const later = [call(), call()].map((each) => each.then(() => (done += 1)));
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
    for (const each of failing) await expect(each).rejects.toThrow('no');
    await someTurns();
    ends[1]!.resolve();
    await next;
  });
});

describe('the sync of a log', () => {
  it('after a failure needs a checkpoint that succeeds', async () => {
    let canCheckpoint = false;
    let checkpoints = 0;
    const checkpoint = () => {
      checkpoints += 1;
      return canCheckpoint;
    };
    // A device cannot be synced (EINVAL).
    const sync = await openSqliteSync('/dev/null', checkpoint);
    await expect(sync.toDisk()).rejects.toThrow('datasync');
    await expect(sync.toDisk()).rejects.toThrow('datasync');
    canCheckpoint = true;
    await sync.toDisk();
    expect(checkpoints).toBe(3);
    await sync.close();
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
    const others = [create('second'), create('third')];
    await someTurns();
    const names = (await store.accounts.list()).map(({ name }) => name);
    expect([names.toSorted(), acknowledged, ends.length]).toEqual([['first', 'second', 'third'], [], 1]);
    ends[0]!.resolve();
    await first;
    await someTurns();
    // The first sync began before the other two were written.
    expect([acknowledged, ends.length]).toEqual([['first'], 2]);
    ends[1]!.resolve();
    await Promise.all(others);
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    await store.close();
  });

  it('that changes nothing does not wait for the disk', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ databaseUrl: null, dataDir: folder.path });
    const spy = vi.spyOn(await fileHandlePrototype(folder.path), 'datasync');
    expect(await store.keys.delete('unknown')).toBe(false);
    expect(spy).toHaveBeenCalledTimes(0);
    await store.accounts.create({ name: 'x', plan: 'free' });
    expect(spy).toHaveBeenCalledTimes(1);
    await store.close();
  });

  it('that cannot be synced is put on disk by a checkpoint, or fails and is reported', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ databaseUrl: null, dataDir: folder.path });
    const create = () => store.accounts.create({ name: 'x', plan: 'free' });
    const spy = vi.spyOn(await fileHandlePrototype(folder.path), 'datasync');
    const failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
    spy.mockRejectedValueOnce(failure);
    await create();
    // A transaction that reads the log keeps a checkpoint from emptying it.
    const reading = new Sqlite(join(folder.path, 'jyutsing.db'), { readonly: true });
    reading.exec('begin; select count(*) from accounts');
    spy.mockRejectedValueOnce(failure);
    const unavailable = { code: 'service_unavailable', message: expect.stringContaining('cannot be read or written') };
    await expect(create()).rejects.toMatchObject(unavailable);
    // A sync that succeeds after one that failed proves nothing.
    await expect(create()).rejects.toMatchObject(unavailable);
    await expect(store.check()).rejects.toMatchObject(unavailable);
    reading.close();
    await create();
    await store.close();
  });
});

async function fileHandlePrototype(folder: string): Promise<FileHandle> {
  const handle = await open(join(folder, 'any'), 'w');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
