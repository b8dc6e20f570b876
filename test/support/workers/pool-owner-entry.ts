import { createWorkerPool } from '#server/workers/pool/worker-pool.ts';

/**
 * Owns a pool, reports its workers' ids and waits to be killed; with `blocked` one worker is inside
 * a long call.
 */
const pool = createWorkerPool({
  entry: new URL('./misbehaving-worker-entry.ts', import.meta.url),
  size: 2,
  maxPerKind: 2,
  spare: 1,
  memoryLimitBytes: 2 ** 31,
  startTimeoutMs: 10_000,
  idleTimeoutMs: null,
});
await pool.ready;
const limits = { signal: new AbortController().signal, silenceTimeoutMs: 60_000, timeLimitMs: 60_000 };
const kind = process.argv[2] === 'blocked' ? 'block' : 'count';
const events = pool.run({ kind, payload: { forMs: 60_000, to: 1e6, everyMs: 10 } }, limits)[Symbol.asyncIterator]();
while (!(await events.next()).done) process.send?.(pool.stats().pids);
