import { AppError } from '@jyutsing/contracts/errors';
import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from './worker-process.ts';

export type WorkerSlotsOptions = WorkerProcessOptions & {
  /** The most processes at a time; the first is started at once, the others when there is work for them. */
  size: number;
  /** A process beyond the first that had nothing to do for so long is ended; null keeps all. */
  idleTimeoutMs: number | null;
};

type Waiting = { take(worker: WorkerProcess): void; refuse(reason: unknown): void };

/** An idle process above this share of its memory limit is ended, so that the next task does not pay for what the last one left. */
const TIRED_SHARE = 0.75;

/** The processes of a pool and who may use them: first come, first served. */
export class WorkerSlots {
  readonly firstReady: Promise<void>;
  private readonly options: WorkerSlotsOptions;
  private readonly workers = new Set<WorkerProcess>();
  private readonly idle: WorkerProcess[] = [];
  private readonly idleTimers = new Map<WorkerProcess, NodeJS.Timeout>();
  private readonly waiting: Waiting[] = [];
  private closed = false;

  constructor(options: WorkerSlotsOptions) {
    this.options = options;
    const first = this.spawn();
    this.idle.push(first);
    this.firstReady = first.ready;
  }

  /** A process for one task, as soon as there is one. Throws the signal's reason, or `service_unavailable` once closed. */
  acquire(signal: AbortSignal): Promise<WorkerProcess> {
    if (this.closed) throw new AppError('service_unavailable');
    const { promise, resolve, reject } = Promise.withResolvers<WorkerProcess>();
    const stopListening = () => signal.removeEventListener('abort', leave);
    const waiting: Waiting = {
      take(worker) {
        stopListening();
        resolve(worker);
      },
      refuse(reason) {
        stopListening();
        reject(reason);
      },
    };
    const leave = () => {
      remove(this.waiting, waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.waiting.push(waiting);
    this.serve();
    return promise;
  }

  /** Gives a process back once its task is over. */
  release(worker: WorkerProcess): void {
    if (!worker.isAlive() || this.closed) return;
    if (worker.rssBytes() > this.options.memoryLimitBytes * TIRED_SHARE) {
      void worker.stop(new AppError('service_unavailable'));
      return;
    }
    this.idle.push(worker);
    if (this.options.idleTimeoutMs !== null) {
      const timer = setTimeout(() => this.retire(worker), this.options.idleTimeoutMs);
      this.idleTimers.set(worker, timer.unref());
    }
    this.serve();
  }

  stats(): { processes: number; busy: number; queued: number; pids: number[] } {
    return {
      processes: this.workers.size,
      busy: this.workers.size - this.idle.length,
      queued: this.waiting.length,
      pids: [...this.workers].flatMap((worker) => worker.pid ?? []),
    };
  }

  /** Refuses those who wait and ends every process; running tasks fail with `service_unavailable`. */
  async close(): Promise<void> {
    this.closed = true;
    const reason = new AppError('service_unavailable');
    for (const waiting of this.waiting.splice(0)) waiting.refuse(reason);
    await Promise.all([...this.workers].map((worker) => worker.stop(reason)));
  }

  private spawn(): WorkerProcess {
    const worker = startWorkerProcess(this.options);
    this.workers.add(worker);
    let wasReady = false;
    worker.ready.then(
      () => (wasReady = true),
      () => {},
    );
    void worker.exited.then(() => {
      this.workers.delete(worker);
      this.takeFromIdle(worker);
      // Keeps one process warm. One that never became ready is not replaced until there is work, or a broken entry would spin.
      if (wasReady && this.workers.size === 0 && !this.closed) this.idle.push(this.spawn());
      // A place became free: those who wait must not wait for a process that is gone.
      this.serve();
    });
    return worker;
  }

  private serve(): void {
    while (!this.closed && this.waiting.length > 0) {
      // The one used last is the warmest, and the others can idle out.
      const worker = this.idle.at(-1) ?? (this.workers.size < this.options.size ? this.spawn() : null);
      if (worker === null) return;
      this.takeFromIdle(worker);
      this.waiting.shift()?.take(worker);
    }
  }

  private retire(worker: WorkerProcess): void {
    if (this.workers.size === 1) return;
    // Taken off the list first, so that no task is given to a process that is about to end.
    this.takeFromIdle(worker);
    void worker.stop(new AppError('service_unavailable'));
  }

  private takeFromIdle(worker: WorkerProcess): void {
    clearTimeout(this.idleTimers.get(worker));
    this.idleTimers.delete(worker);
    remove(this.idle, worker);
  }
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
