import { AppError } from '@jyutsing/contracts/errors';
import { cannotStart, type TaskLimits } from './task-failures.ts';
import {
  startWorkerProcess,
  type TaskRun,
  type WorkerProcess,
  type WorkerProcessOptions,
  type WorkerTask,
} from './worker-process.ts';

export type WorkerPoolOptions = WorkerProcessOptions & {
  /** The most processes at a time. */
  size: number;
  /** The most processes that do tasks of one kind at a time. */
  maxPerKind: number;
  /** Processes kept without work or models: started at once, and again whenever fewer are left. */
  spare: 0 | 1;
  /** A process that has done a task and then had none for this long is ended; null keeps it. */
  idleTimeoutMs: number | null;
  /** A pool of equal processes, whose spare one is taken before another is started. */
  lender?: Pick<WorkerPool, 'lend'>;
};

export type PoolStats = { processes: number; busy: number; queued: number; pids: number[] };

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
  /** Gives away a process that has done nothing, and starts another; null if there is none. */
  lend(): WorkerProcess | null;
  stats(): PoolStats;
  close(): Promise<void>;
};

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const slots = new WorkerSlots(options);
  return {
    ready: slots.firstReady,
    run: (task, taskOptions) => readEvents(() => beginTask(slots, task, taskOptions), taskOptions.signal),
    connect: (task, taskOptions) => connect(slots, task, taskOptions),
    lend: () => slots.lend(),
    stats: () => slots.stats(),
    close: () => slots.close(),
  };
}

type TaskOptions = TaskLimits & { signal: AbortSignal };

async function connect(slots: WorkerSlots, task: WorkerTask, options: TaskOptions): Promise<TaskConnection> {
  const run = await beginTask(slots, task, options);
  return { send: run.send, events: readEvents(async () => run, options.signal) };
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
async function* readEvents(begin: () => Promise<TaskRun>, signal: AbortSignal): AsyncGenerator<unknown> {
  const run = await begin();
  let isOver = false;
  try {
    for await (const event of run.events) {
      // The task may be over, with events that are not read yet.
      signal.throwIfAborted();
      run.acknowledge();
      yield event;
    }
    signal.throwIfAborted();
    isOver = true;
  } finally {
    if (!isOver) run.abort(new AppError('client_closed_request'));
  }
}

/**
 * A process, the kinds of tasks it has done (their models are loaded in it), and the kind it does
 * now.
 */
type WorkerSlot = { readonly worker: WorkerProcess; readonly done: Set<string>; running: string | null };

type Waiting = { kind: string; take(slot: WorkerSlot): void; refuse(reason: unknown): void };

/**
 * An idle process above this share of its memory limit is ended: the next task must not pay for the
 * last one's memory.
 */
const REUSE_MEMORY_SHARE = 0.75;

/**
 * The processes of a pool, and the tasks that wait for one: first come, first served, within the
 * limit for each kind.
 */
class WorkerSlots {
  readonly firstReady: Promise<void>;
  private readonly options: WorkerPoolOptions;
  /** In the order of last use. */
  private readonly slots = new Set<WorkerSlot>();
  private readonly idleTimers = new Map<WorkerSlot, NodeJS.Timeout>();
  private readonly waiting = new Set<Waiting>();
  private closed = false;

  constructor(options: WorkerPoolOptions) {
    this.options = options;
    this.firstReady = options.spare > 0 ? this.spawn().worker.ready : Promise.resolve();
  }

  /**
   * A process for one task, as soon as there is one. Throws the signal's reason, or
   * `service_unavailable` once closed.
   */
  acquire(kind: string, signal: AbortSignal): Promise<WorkerSlot> {
    if (this.closed) throw new AppError('service_unavailable');
    const { promise, resolve, reject } = Promise.withResolvers<WorkerSlot>();
    const stopListening = () => signal.removeEventListener('abort', leave);
    const waiting: Waiting = {
      kind,
      take(slot) {
        stopListening();
        resolve(slot);
      },
      refuse(reason) {
        stopListening();
        reject(reason);
      },
    };
    const leave = () => {
      this.waiting.delete(waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.waiting.add(waiting);
    this.serve();
    return promise;
  }

  /** Gives a process back once its task is over. */
  release(slot: WorkerSlot): void {
    slot.running = null;
    if (!slot.worker.isAlive() || this.closed) return;
    if (slot.worker.rssBytes() > this.options.memoryLimitBytes * REUSE_MEMORY_SHARE) {
      this.end(slot);
    } else {
      this.slots.delete(slot);
      this.slots.add(slot);
      if (this.options.idleTimeoutMs !== null) {
        const timer = setTimeout(() => this.end(slot), this.options.idleTimeoutMs);
        this.idleTimers.set(slot, timer.unref());
      }
    }
    this.serve();
  }

  lend(): WorkerProcess | null {
    const slot = [...this.slots].find(({ done, worker }) => done.size === 0 && worker.isAlive());
    if (slot === undefined || this.closed) return null;
    this.slots.delete(slot);
    if (this.slots.size < this.options.spare) this.trySpawn();
    return slot.worker;
  }

  stats(): PoolStats {
    return {
      processes: this.slots.size,
      busy: [...this.slots].filter(({ running }) => running !== null).length,
      queued: this.waiting.size,
      pids: [...this.slots].flatMap(({ worker }) => worker.pid ?? []),
    };
  }

  /**
   * Refuses waiting tasks and ends every process; running tasks fail with `service_unavailable`.
   */
  async close(): Promise<void> {
    this.closed = true;
    const reason = new AppError('service_unavailable');
    for (const waiting of this.waiting) waiting.refuse(reason);
    this.waiting.clear();
    await Promise.all([...this.slots].map(({ worker }) => worker.stop(reason)));
  }

  private spawn(): WorkerSlot {
    const worker = this.options.lender?.lend() ?? startWorkerProcess(this.options);
    const slot: WorkerSlot = { worker, done: new Set(), running: null };
    this.slots.add(slot);
    let wasReady = false;
    slot.worker.ready.then(() => (wasReady = true)).catch(() => {});
    void slot.worker.exited.then(() => {
      this.forget(slot);
      // A process that never became ready is not replaced until there is work, or a broken entry
      // would be started for ever.
      if (wasReady && this.slots.size < this.options.spare && !this.closed) this.trySpawn();
      // Waiting tasks may take the freed slot.
      this.serve();
    });
    return slot;
  }

  private trySpawn(): void {
    try {
      this.spawn();
    } catch {
      // Without memory or processes; the next task tries again.
    }
  }

  private serve(): void {
    const mayRun = ({ kind }: Waiting) => this.countRunning(kind) < this.options.maxPerKind;
    const findNext = () => [...this.waiting].find(mayRun);
    for (let next = findNext(); next !== undefined && !this.closed; next = findNext()) {
      let slot: WorkerSlot | null;
      try {
        slot = this.findIdle(next.kind) ?? (this.slots.size < this.options.size ? this.spawn() : null);
      } catch (cause) {
        // Otherwise it would get a process later, for a caller that has left.
        this.waiting.delete(next);
        next.refuse(cannotStart(cause));
        continue;
      }
      if (slot === null) return;
      this.waiting.delete(next);
      this.clearIdleTimer(slot);
      slot.running = next.kind;
      slot.done.add(next.kind);
      next.take(slot);
    }
  }

  /**
   * Prefers a process that has the models of this kind, then the one used last, so that the others
   * can time out.
   */
  private findIdle(kind: string): WorkerSlot | undefined {
    const idle = [...this.slots].filter(({ running, worker }) => running === null && worker.isAlive());
    return idle.findLast(({ done }) => done.has(kind)) ?? idle.at(-1);
  }

  private countRunning(kind: string): number {
    return [...this.slots].filter(({ running }) => running === kind).length;
  }

  private end(slot: WorkerSlot): void {
    // Forgotten first, so that no task is given to a process that is about to end.
    this.forget(slot);
    void slot.worker.stop(new AppError('service_unavailable'));
  }

  private forget(slot: WorkerSlot): void {
    this.clearIdleTimer(slot);
    this.slots.delete(slot);
  }

  private clearIdleTimer(slot: WorkerSlot): void {
    clearTimeout(this.idleTimers.get(slot));
    this.idleTimers.delete(slot);
  }
}
