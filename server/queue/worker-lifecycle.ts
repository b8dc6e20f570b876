import { AppError } from '@jyutsing/contracts/errors';

/** Starts and drains the worker of a queue, once each. Used by both drivers. */
type WorkerLifecycle<Worker> = {
  /** The worker, or null until it has started. */
  readonly worker: Worker | null;
  /**
   * Throws `internal_error` when called twice, and `service_unavailable` once draining has begun.
   */
  start(startWorker: () => Promise<Worker>): Promise<void>;
  /**
   * Drains once; later calls wait for the first. Also waits for a worker that is still starting,
   * which would otherwise outlive the drain.
   */
  drain(graceMs: number): Promise<void>;
};

export function createWorkerLifecycle<
  Worker extends { drain(graceMs: number): Promise<void> },
>(): WorkerLifecycle<Worker> {
  let worker: Worker | null = null;
  let starting: Promise<Worker> | null = null;
  let draining: Promise<void> | null = null;
  const drainWorker = async (graceMs: number) => {
    // The caller of `start` gets its error.
    const started = await starting?.catch(() => null);
    await started?.drain(graceMs);
  };
  return {
    get worker() {
      return worker;
    },
    async start(startWorker) {
      if (draining !== null) throw new AppError('service_unavailable');
      if (starting !== null) throw new AppError('internal_error', undefined, { cause: 'the queue was started twice' });
      starting = startWorker();
      worker = await starting;
    },
    drain: (graceMs) => (draining ??= drainWorker(graceMs)),
  };
}
