import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { cpuSeconds } from '#testbed/service/process-tree.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

const support = new URL('../../../test/support/workers/', import.meta.url);
const entry = new URL('misbehaving-worker-entry.ts', support);
const limits = { silenceTimeoutMs: 10_000, timeLimitMs: 20_000 };
const pools: WorkerPool[] = [];

function open(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const pool = createWorkerPool({
    entry,
    size: 2,
    maxPerKind: 2,
    spare: 1,
    memoryLimitBytes: 2 ** 30,
    startTimeoutMs: 10_000,
    idleTimeoutMs: null,
    ...options,
  });
  pools.push(pool);
  return pool;
}

function run(pool: WorkerPool, kind: string, payload: unknown = {}, changes: object = {}) {
  return pool.run({ kind, payload }, { ...limits, signal: new AbortController().signal, ...changes });
}

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const event of events) list.push(event);
  return list;
}

async function failure(events: AsyncIterable<unknown>): Promise<AppError> {
  const thrown = await all(events).then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}

async function pidOf(pool: WorkerPool): Promise<number> {
  return (await all(run(pool, 'pid')))[0] as number;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(50)) {
    if (!isRunning(pid)) return true;
  }
  return false;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('a worker pool', () => {
  it('yields the events of a task in order and reuses the process', async () => {
    const pool = open({ size: 1 });
    const events = (await all(run(pool, 'count', { to: 100, everyMs: 0 }))) as { number: number; pid: number }[];
    expect(events.map((event) => event.number)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(await pidOf(pool)).toBe(events[0]?.pid);
  });

  it('gives what a task returns as its last event, of any size, and undefined as none', async () => {
    const pool = open({ size: 1 });
    const large = 'x'.repeat(20_000_000);
    expect(await all(run(pool, 'finish', { result: large }))).toEqual(['before', large]);
    expect(await all(run(pool, 'finish', { result: null }))).toEqual(['before', null]);
    expect(await all(run(pool, 'finish'))).toEqual(['before']);
  });

  it('gives its processes a lower priority than this one', async () => {
    const pid = await pidOf(open({ size: 1, niceness: 1 }));
    expect(getPriority(pid)).toBe(Math.min(19, getPriority() + 1));
  });

  it('runs as many tasks at a time as it has processes; others wait', async () => {
    const pool = open({ size: 2 });
    const done: number[] = [];
    const tasks = [1, 2, 3, 4].map(async (task) => {
      await all(run(pool, 'count', { to: 5, everyMs: 20 }));
      done.push(task);
    });
    await sleep(50);
    expect(pool.stats()).toMatchObject({ processes: 2, queued: 2 });
    await Promise.all(tasks);
    expect(done.sort()).toEqual([1, 2, 3, 4]);
    expect(pool.stats()).toMatchObject({ processes: 2, busy: 0, queued: 0 });
  });

  it('is ready within 1.5 s of processor time', async () => {
    const pool = open();
    await pool.ready;
    const seconds = pool.stats().pids.map(cpuSeconds);
    expect(seconds.length).toBeGreaterThan(0);
    expect(Math.max(...seconds)).toBeLessThan(1.5);
  });

  it('stops the producer when the consumer is slow', async () => {
    const pool = open({ size: 1 });
    let taken = 0;
    let resumedAtMs = 0;
    let lastProducedAtMs = 0;
    for await (const event of run(pool, 'produce')) {
      taken += 1;
      lastProducedAtMs = (event as { atMs: number }).atMs;
      if (taken === 40) {
        await sleep(500);
        resumedAtMs = Date.now();
      }
      if (taken === 100) break;
    }
    // Without back-pressure the hundredth event would have been produced long before.
    expect(lastProducedAtMs).toBeGreaterThanOrEqual(resumedAtMs);
  });
});

describe('the processes of a pool', () => {
  it('are chosen by their previous tasks, so that few of them load a model', async () => {
    const pool = open({ size: 2 });
    const counting = all(run(pool, 'count', { to: 10, everyMs: 30 }));
    const waiting = pidOf(pool);
    const [counted] = (await counting) as { pid: number }[];
    const pid = await waiting;
    expect(pid).not.toBe(counted?.pid);
    for (let round = 0; round < 3; round += 1) {
      expect(await pidOf(pool)).toBe(pid);
      const [again] = (await all(run(pool, 'count', { to: 1, everyMs: 0 }))) as { pid: number }[];
      expect(again?.pid).toBe(counted?.pid);
    }
  });

  it('are not all used by one kind of task', async () => {
    const pool = open({ size: 2, maxPerKind: 1 });
    const first = all(run(pool, 'count', { to: 20, everyMs: 30 }));
    const second = all(run(pool, 'count', { to: 1, everyMs: 0 }));
    await sleep(50);
    expect(pool.stats()).toMatchObject({ busy: 1, queued: 1 });
    // A task of another kind overtakes one that waits for the limit of its kind.
    expect(await pidOf(pool)).toBeGreaterThan(0);
    expect(pool.stats()).toMatchObject({ queued: 1 });
    expect(await first).toHaveLength(20);
    expect(await second).toHaveLength(1);
  });

  it('are lent before they did anything, and replaced', async () => {
    const lender = open();
    await lender.ready;
    const [spare] = lender.stats().pids;
    const borrower = open({ spare: 0, lender });
    expect(await pidOf(borrower)).toBe(spare);
    const [next] = lender.stats().pids;
    expect(next).not.toBe(spare);
    expect(await pidOf(lender)).toBe(next);
    // One that has done a task may hold its models.
    expect(lender.lend()).toBeNull();
    await lender.close();
    expect(isRunning(spare!)).toBe(true);
  });
});

describe('a failing task fails alone, with an AppError', () => {
  it.each([
    ['abort', 'engine_failed'],
    ['exit', 'engine_failed'],
  ])('%s of the process is %s, and another task continues', async (kind, code) => {
    const pool = open({ size: 2 });
    const other = all(run(pool, 'count', { to: 30, everyMs: 30 }));
    const error = await failure(run(pool, kind));
    expect(error.code).toBe(code);
    expect(await other).toHaveLength(30);
    expect(await pidOf(pool)).toBeGreaterThan(0);
  });

  it('a process killed from outside gives a retryable error', async () => {
    const pool = open({ size: 1 });
    const error = failure(run(pool, 'silent'));
    await pool.ready;
    await sleep(200);
    process.kill(pool.stats().pids[0] ?? 0, 'SIGKILL');
    expect(await error).toMatchObject({ code: 'service_unavailable', retryable: true });
    expect(await pidOf(pool)).toBeGreaterThan(0);
  });

  it('a task without events times out, also inside native code', async () => {
    const pool = open({ size: 1 });
    const startedMs = performance.now();
    expect((await failure(run(pool, 'block', { forMs: 60_000 }, { silenceTimeoutMs: 500 }))).code).toBe('timed_out');
    expect((await failure(run(pool, 'silent', {}, { silenceTimeoutMs: 500 }))).code).toBe('timed_out');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('a task that exceeds its time limit times out, although it yields events', async () => {
    const pool = open({ size: 1 });
    const error = await failure(run(pool, 'count', { to: 1_000, everyMs: 20 }, { timeLimitMs: 600 }));
    expect(error.code).toBe('timed_out');
  });

  it('a slow consumer does not count as a silent worker', async () => {
    const pool = open({ size: 1 });
    let taken = 0;
    for await (const event of run(pool, 'produce', {}, { silenceTimeoutMs: 500 })) {
      expect(event).toBeTypeOf('object');
      taken += 1;
      if (taken === 10) await sleep(1_500);
      if (taken === 100) break;
    }
    expect(taken).toBe(100);
  });

  it('memory above the limit ends the process', async () => {
    const pool = open({ size: 1, memoryLimitBytes: 300 * 2 ** 20 });
    const error = await failure(run(pool, 'grow', { mebibytes: 640 }));
    expect(error).toMatchObject({ code: 'engine_failed', message: expect.stringContaining('memory') });
  });

  it('an AppError is passed on unchanged; the message of an unknown error is not passed on', async () => {
    const pool = open({ size: 1 });
    expect(await failure(run(pool, 'refuse'))).toMatchObject({
      code: 'corrupt_audio',
      message: 'The file is damaged at its third second.',
    });
    expect(await failure(run(pool, 'wait'))).toMatchObject({
      code: 'service_unavailable',
      message: 'The other server is busy.',
      retryAfterSeconds: 20,
    });
    const unknown = await failure(run(pool, 'stumble'));
    expect(unknown.code).toBe('internal_error');
    expect(`${unknown.message} ${String(unknown.cause)}`).not.toContain('secret');
    expect((await failure(run(pool, 'no-such-kind'))).code).toBe('internal_error');
  });

  it('a result that cannot be sent fails its task, and the process goes on', async () => {
    const pool = open({ size: 1 });
    const events = run(pool, 'unsendable')[Symbol.asyncIterator]();
    const { value: pid } = await events.next();
    await expect(events.next()).rejects.toMatchObject({ code: 'internal_error' });
    expect(await pidOf(pool)).toBe(pid);
  });

  it('a process that the system does not start gives a retryable error, and nothing waits for it', async () => {
    // Longer than a system takes.
    const pool = open({ size: 1, spare: 0, environment: { LONG: 'a'.repeat(4_000_000) } });
    expect((await failure(run(pool, 'pid'))).code).toBe('service_unavailable');
    expect(pool.stats()).toMatchObject({ processes: 0, busy: 0, queued: 0 });
  });

  it.each<[string, Partial<WorkerPoolOptions>]>([
    ['a start that takes too long, as on a busy machine,', { spare: 0, startTimeoutMs: 1 }],
    ['an entry that does not exist', { entry: new URL('no-such-entry.ts', support) }],
    ['a sandbox whose shell ends, as when the system kills its program', { words: () => ['sh', '-c', 'exit 137'] }],
  ])('%s gives retryable errors instead of hanging or restarting forever', async (_case, options) => {
    const pool = open({ ...options, size: 1 });
    for (let task = 0; task < 2; task += 1) await expect(pidOf(pool)).rejects.toThrow('could not start a process');
    expect(pool.stats().processes).toBe(0);
  });
});

describe('an aborted signal', () => {
  it('ends a task with its reason and keeps the process', async () => {
    const pool = open({ size: 1 });
    const pid = await pidOf(pool);
    const abort = new AbortController();
    const events = all(run(pool, 'silent', {}, { signal: abort.signal }));
    setTimeout(() => abort.abort(new AppError('client_closed_request')), 100);
    await expect(events).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(await pidOf(pool)).toBe(pid);
  });

  it('gives no result that came after it, and keeps the process', async () => {
    const pool = open({ size: 1 });
    const stop = new AbortController();
    const events = run(pool, 'late', {}, { signal: stop.signal })[Symbol.asyncIterator]();
    const { value: pid } = await events.next();
    const reason = new Error('it is no longer needed');
    stop.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
    expect(await pidOf(pool)).toBe(pid);
  });

  it('gives no further event of a task that is over already', async () => {
    const pool = open({ size: 1 });
    const stop = new AbortController();
    const events = run(pool, 'count', { to: 3, everyMs: 0 }, { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    // The process is free again, so the events that are left wait for their reader only.
    await pidOf(pool);
    const reason = new Error('it is no longer needed');
    stop.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
  });

  it('kills a process that does not stop, and the pool replaces it', async () => {
    const pool = open({ size: 1 });
    const pid = await pidOf(pool);
    const abort = new AbortController();
    const events = all(run(pool, 'block', { forMs: 30_000 }, { signal: abort.signal }));
    setTimeout(() => abort.abort(new AppError('client_closed_request')), 300);
    await expect(events).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(await pidOf(pool)).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  it('removes a waiting task from the queue', async () => {
    const pool = open({ size: 1 });
    const busy = all(run(pool, 'count', { to: 20, everyMs: 20 }));
    const abort = new AbortController();
    const waiting = all(run(pool, 'pid', {}, { signal: abort.signal }));
    await sleep(50);
    abort.abort(new AppError('client_closed_request'));
    await expect(waiting).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(pool.stats().queued).toBe(0);
    await busy;
  });

  it('a consumer that stops early releases the process', async () => {
    const pool = open({ size: 1 });
    const events = run(pool, 'count', { to: 1e6, everyMs: 5 })[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
    expect(await pidOf(pool)).toBeGreaterThan(0);
  });
});

describe('workers end', () => {
  it('when the pool is closed; running and waiting tasks fail', async () => {
    const pool = open({ size: 1 });
    const running = failure(run(pool, 'silent'));
    const waiting = failure(run(pool, 'pid'));
    await sleep(300);
    const { pids } = pool.stats();
    await pool.close();
    expect((await running).code).toBe('service_unavailable');
    expect((await waiting).code).toBe('service_unavailable');
    expect((await failure(run(pool, 'pid'))).code).toBe('service_unavailable');
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('after an idle time; a spare without models replaces them', async () => {
    const pool = open({ size: 2, idleTimeoutMs: 200 });
    const counted = await Promise.all([
      all(run(pool, 'count', { to: 3, everyMs: 30 })),
      all(run(pool, 'count', { to: 3, everyMs: 30 })),
    ]);
    const pids = counted.map(([first]) => (first as { pid: number }).pid);
    expect(new Set(pids).size).toBe(2);
    for (const pid of pids) expect(await gone(pid, 4_000)).toBe(true);
    await expect.poll(() => pool.stats().processes).toBe(1);
    const [spare] = pool.stats().pids;
    expect(pids).not.toContain(spare);
    // The spare has no models to free, so it does not end when idle.
    await sleep(500);
    expect(pool.stats().pids).toEqual([spare]);
    expect(await pidOf(pool)).toBe(spare);
  });

  it('after an idle time; all of them in a pool without a spare', async () => {
    const pool = open({ size: 2, spare: 0, idleTimeoutMs: 200 });
    expect(pool.stats().processes).toBe(0);
    await pool.ready;
    const pid = await pidOf(pool);
    expect(await gone(pid, 4_000)).toBe(true);
    expect(pool.stats().processes).toBe(0);
    expect(await pidOf(pool)).toBeGreaterThan(0);
  });

  it('but not during a long task', async () => {
    const pool = open({ size: 1, idleTimeoutMs: 100 });
    await pidOf(pool);
    expect(await all(run(pool, 'count', { to: 20, everyMs: 30 }))).toHaveLength(20);
  });

  it.each(['counting', 'blocked'])('when their parent is killed while one is %s', async (state) => {
    const owner = fork(new URL('pool-owner-entry.ts', support), [state], { execArgv: [] });
    const [pids] = (await once(owner, 'message')) as [number[]];
    expect(pids.length).toBeGreaterThan(0);
    owner.kill('SIGKILL');
    for (const pid of pids) expect(await gone(pid, 4_000)).toBe(true);
  });
});
