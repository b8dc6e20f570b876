import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { serveTasks } from '#server/workers/pool/serve-tasks.ts';

/** A worker that misbehaves on request. */
serveTasks({
  async *count(payload) {
    const { to, everyMs } = payload as { to: number; everyMs: number };
    for (let i = 1; i <= to; i += 1) {
      if (everyMs > 0) await sleep(everyMs);
      yield { number: i, pid: process.pid };
    }
  },
  async *produce() {
    for (;;) yield { atMs: Date.now() };
  },
  async *pid() {
    yield process.pid;
  },
  /** The last event of this task is its result. */
  async *finish(payload) {
    yield 'before';
    return (payload as { result?: unknown }).result;
  },
  async *unsendable() {
    yield process.pid;
    return () => {};
  },
  async *late(_payload, signal) {
    yield process.pid;
    if (!signal.aborted) await once(signal, 'abort');
    return 'after';
  },
  async *abort() {
    yield 'before';
    process.abort();
  },
  async *exit() {
    yield 'before';
    process.exit(3);
  },
  async *silent(_payload, signal) {
    await sleep(60_000, undefined, { signal });
    yield 'never';
  },
  /** Blocks the event loop, like a long call into native code. */
  async *block(payload) {
    yield process.pid;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (payload as { forMs: number }).forMs);
    yield 'after';
  },
  async *grow(payload) {
    const kept: Buffer[] = [];
    const { mebibytes } = payload as { mebibytes: number };
    for (let i = 0; i < mebibytes; i += 16) {
      kept.push(Buffer.alloc(16 * 2 ** 20, i + 1));
      await sleep(10);
      yield kept.length;
    }
    await sleep(2_000);
  },
  async *refuse() {
    yield 'before';
    throw new AppError('corrupt_audio', 'The file is damaged at its third second.');
  },
  async *wait() {
    yield 'before';
    throw new AppError('service_unavailable', 'The other server is busy.', { retryAfterSeconds: 20 });
  },
  async *stumble() {
    yield 'before';
    execFileSync('/no/such/program-with-a-secret-path');
  },
});
