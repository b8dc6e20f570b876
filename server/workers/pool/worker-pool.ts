import { AppError } from '@jyutsing/contracts/errors';
import { WorkerSlots, type WorkerSlotsOptions } from './worker-slots.ts';
import type { TaskLimits, WorkerTask } from './worker-process.ts';

export type { TaskLimits, WorkerTask } from './worker-process.ts';

export type WorkerPoolOptions = WorkerSlotsOptions;

/**
 * Child processes that do one task at a time and are kept warm. A process that crashes, hangs or grows is replaced, and
 * only its own task fails, with an AppError: `engine_failed` (crash, memory), `timed_out` (silence, time limit),
 * `service_unavailable` (killed from outside, or the pool was closed). Native code aborts a process on bad input, which is
 * why decoding and inference run here and never in the server.
 */
export type WorkerPool = {
  /** Resolves when the first process can take work. */
  readonly ready: Promise<void>;
  /** Waits for a free process, then gives the task's events as they come. An aborted signal ends it by throwing its reason. */
  run(task: WorkerTask, options: TaskLimits & { signal: AbortSignal }): AsyncIterable<unknown>;
  /** Processes that exist and tasks that wait, for metrics and tests. */
  stats(): { processes: number; busy: number; queued: number; pids: number[] };
  close(): Promise<void>;
};

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const places = new WorkerSlots(options);
  return {
    ready: places.firstReady,
    run: (task, taskOptions) => runTask(places, task, taskOptions),
    stats: () => places.stats(),
    close: () => places.close(),
  };
}

async function* runTask(
  places: WorkerSlots,
  task: WorkerTask,
  options: TaskLimits & { signal: AbortSignal },
): AsyncGenerator<unknown> {
  const { signal } = options;
  signal.throwIfAborted();
  const worker = await places.acquire(signal);
  await worker.ready;
  const run = worker.begin(task, options);
  const abort = () => run.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  // The place is given on only when the process is really free: after an abort that may be later than the end of this generator.
  void run.settled.then(() => places.release(worker));
  try {
    for (let step = await run.next(); !step.done; step = await run.next()) yield step.value;
  } finally {
    signal.removeEventListener('abort', abort);
    // Does nothing to a task that is over; one whose consumer left early is told to stop.
    run.abort(new AppError('client_closed_request'));
  }
}
