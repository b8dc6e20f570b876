import { AppError } from '@jyutsing/contracts/errors';
import { WorkerSlots, type PoolStats, type WorkerSlotsOptions } from './worker-slots.ts';
import type { TaskLimits, TaskRun, WorkerTask } from './worker-process.ts';

export type { PoolStats } from './worker-slots.ts';
export type WorkerPoolOptions = WorkerSlotsOptions;

/** A task that runs; its events must be read. */
export type TaskConnection = {
  /** Sends the task a message that survives structured cloning. */
  send(input: unknown): void;
  readonly events: AsyncIterable<unknown>;
};

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
  /** Starts a task like `run`; resolves once a process has it. */
  connect(task: WorkerTask, options: TaskLimits & { signal: AbortSignal }): Promise<TaskConnection>;
  stats(): PoolStats;
  close(): Promise<void>;
};

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const slots = new WorkerSlots(options);
  return {
    ready: slots.firstReady,
    run: (task, taskOptions) => readEvents(() => beginTask(slots, task, taskOptions)),
    connect: (task, taskOptions) => connect(slots, task, taskOptions),
    stats: () => slots.stats(),
    close: () => slots.close(),
  };
}

type TaskOptions = TaskLimits & { signal: AbortSignal };

async function connect(slots: WorkerSlots, task: WorkerTask, options: TaskOptions): Promise<TaskConnection> {
  const run = await beginTask(slots, task, options);
  return { send: run.send, events: readEvents(async () => run) };
}

/** Begins a task in the next free process, which is released when the process is free again. */
async function beginTask(slots: WorkerSlots, task: WorkerTask, options: TaskOptions): Promise<TaskRun> {
  const { signal } = options;
  signal.throwIfAborted();
  const slot = await slots.acquire(task.kind, signal);
  await slot.worker.ready;
  const run = slot.worker.begin(task, options);
  const abort = () => run.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  // After an abort this may be later than the end of the events.
  void run.settled.then(() => {
    signal.removeEventListener('abort', abort);
    slots.release(slot);
  });
  return run;
}

/** Yields the events of a task as they are read, and stops it when its reader leaves early. */
async function* readEvents(begin: () => Promise<TaskRun>): AsyncGenerator<unknown> {
  const run = await begin();
  let isOver = false;
  try {
    for await (const event of run.events) {
      run.acknowledge();
      yield event;
    }
    isOver = true;
  } finally {
    if (!isOver) run.abort(new AppError('client_closed_request'));
  }
}
