import { AppError } from '@jyutsing/contracts/errors';
import { WorkerSlots, type PoolStats, type WorkerSlotsOptions } from './worker-slots.ts';
import type { TaskLimits, WorkerTask } from './worker-process.ts';

export type { PoolStats } from './worker-slots.ts';
export type WorkerPoolOptions = WorkerSlotsOptions;

/**
 * Child processes that do one task at a time and are reused. A process that crashes, hangs or grows
 * is replaced, and only its own task fails, with an AppError: `engine_failed` (crash, memory),
 * `timed_out` (silence, time limit), `service_unavailable` (killed from outside, or the pool was
 * closed). Native code aborts a process on bad input, which is why decoding and inference run here
 * and never in the server.
 */
export type WorkerPool = {
  /** Resolves when the first process can take work; at once where none is kept as a spare. */
  readonly ready: Promise<void>;
  /**
   * Waits for a free process, then gives the task's events as they come. An aborted signal ends it
   * by throwing its reason.
   */
  run(task: WorkerTask, options: TaskLimits & { signal: AbortSignal }): AsyncIterable<unknown>;
  stats(): PoolStats;
  close(): Promise<void>;
};

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const slots = new WorkerSlots(options);
  return {
    ready: slots.firstReady,
    run: (task, taskOptions) => runTask(slots, task, taskOptions),
    stats: () => slots.stats(),
    close: () => slots.close(),
  };
}

async function* runTask(
  slots: WorkerSlots,
  task: WorkerTask,
  options: TaskLimits & { signal: AbortSignal },
): AsyncGenerator<unknown> {
  const { signal } = options;
  signal.throwIfAborted();
  const slot = await slots.acquire(task.kind, signal);
  await slot.worker.ready;
  const run = slot.worker.begin(task, options);
  const abort = () => run.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  // Released only when the process is free: after an abort that may be later than the end of this
  // generator.
  void run.settled.then(() => slots.release(slot));
  try {
    for (let step = await run.next(); !step.done; step = await run.next()) yield step.value;
  } finally {
    signal.removeEventListener('abort', abort);
    // Stops the task when the consumer leaves early; does nothing to a task that is over.
    run.abort(new AppError('client_closed_request'));
  }
}
