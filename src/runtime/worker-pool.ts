import { AppError } from '#contracts/errors.ts';
import { startWorkerProcess, type TaskLimits, type WorkerProcess, type WorkerTask } from './worker-process.ts';

export type { TaskLimits, WorkerTask } from './worker-process.ts';

export type WorkerPoolOptions = {
  /** The module that calls `serveTasks`. */
  entry: URL;
  /** The most processes at a time; the first is started at once, the others when there is work for them. */
  size: number;
  /** A process whose resident memory goes above this during a task is killed and its request fails. */
  memoryLimitBytes: number;
  startTimeoutMs: number;
  /** A process beyond the first that had nothing to do for so long is ended; null keeps all. */
  idleTimeoutMs: number | null;
};

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

type Waiting = { take(worker: WorkerProcess): void; refuse(reason: unknown): void };

/** An idle process above this share of its memory limit is ended, so that the next task does not pay for what the last one left. */
const TIRED_SHARE = 0.75;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const workers = new Set<WorkerProcess>();
  const idle: WorkerProcess[] = [];
  const queue: Waiting[] = [];
  const idleTimers = new Map<WorkerProcess, NodeJS.Timeout>();
  let closed = false;

  const spawn = (): WorkerProcess => {
    const worker = startWorkerProcess(options);
    workers.add(worker);
    let wasReady = false;
    worker.ready.then(
      () => (wasReady = true),
      () => {},
    );
    void worker.exited.then(() => {
      workers.delete(worker);
      forget(worker);
      // Keeps one process warm. One that never became ready is not replaced until there is work, or a broken entry would spin.
      if (wasReady && workers.size === 0 && !closed) idle.push(spawn());
      // A place became free: those who wait must not wait for a process that is gone.
      serve();
    });
    return worker;
  };
  const forget = (worker: WorkerProcess) => {
    clearTimeout(idleTimers.get(worker));
    idleTimers.delete(worker);
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  };
  const serve = () => {
    while (!closed && queue.length > 0) {
      // The one used last is the warmest, and the others can idle out.
      const worker = idle.at(-1) ?? (workers.size < options.size ? spawn() : null);
      if (worker === null) return;
      forget(worker);
      queue.shift()?.take(worker);
    }
  };
  const release = (worker: WorkerProcess) => {
    if (!worker.isAlive() || closed) return;
    if (worker.rssBytes() > options.memoryLimitBytes * TIRED_SHARE) {
      void worker.stop(new AppError('service_unavailable'));
      return;
    }
    idle.push(worker);
    if (options.idleTimeoutMs !== null) {
      const timer = setTimeout(() => {
        if (workers.size > 1) void worker.stop(new AppError('service_unavailable'));
      }, options.idleTimeoutMs);
      idleTimers.set(worker, timer.unref());
    }
    serve();
  };
  const acquire = (signal: AbortSignal): Promise<WorkerProcess> => {
    const { promise, resolve, reject } = Promise.withResolvers<WorkerProcess>();
    const leave = () => {
      const at = queue.indexOf(waiting);
      if (at >= 0) queue.splice(at, 1);
      reject(signal.reason);
    };
    const waiting: Waiting = {
      take(worker) {
        signal.removeEventListener('abort', leave);
        resolve(worker);
      },
      refuse(reason) {
        signal.removeEventListener('abort', leave);
        reject(reason);
      },
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.push(waiting);
    serve();
    return promise;
  };

  async function* run(task: WorkerTask, taskOptions: TaskLimits & { signal: AbortSignal }) {
    const { signal } = taskOptions;
    signal.throwIfAborted();
    if (closed) throw new AppError('service_unavailable');
    const worker = await acquire(signal);
    await worker.ready;
    const handle = worker.begin(task, taskOptions);
    const abort = () => handle.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // The place is given on only when the process is really free: after an abort that may be later than the end of this generator.
    void handle.settled.then(() => release(worker));
    try {
      for (;;) {
        const step = await handle.next();
        if (step.done) return;
        yield step.value;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      // Does nothing to a task that is over; one whose consumer left early is told to stop.
      handle.abort(new AppError('client_closed_request'));
    }
  }

  const first = spawn();
  idle.push(first);
  return {
    ready: first.ready,
    run,
    stats: () => ({
      processes: workers.size,
      busy: workers.size - idle.length,
      queued: queue.length,
      pids: [...workers].flatMap((worker) => worker.pid ?? []),
    }),
    async close() {
      closed = true;
      const reason = new AppError('service_unavailable');
      for (const waiting of queue.splice(0)) waiting.refuse(reason);
      await Promise.all([...workers].map((worker) => worker.stop(reason)));
    },
  };
}
