import { AppError } from '@jyutsing/contracts/errors';

/** The worker of a queue through its one life: not yet, starting, working, drained. Shared by both drivers. */
export type WorkerLifecycle<Worker> = {
  /** Null until it has started. */
  readonly worker: Worker | null;
  /** Throws `internal_error` the second time, and `service_unavailable` once draining has begun. */
  start(startWorker: () => Promise<Worker>): Promise<void>;
  /** The first call counts; later ones wait for it. A worker that is just starting is waited for, or it would outlive the drain. */
  drain(graceMs: number): Promise<void>;
};

export function createWorkerLifecycle<
  Worker extends { drain(graceMs: number): Promise<void> },
>(): WorkerLifecycle<Worker> {
  let worker: Worker | null = null;
  let starting: Promise<Worker> | null = null;
  let draining: Promise<void> | null = null;
  const drainWorker = async (graceMs: number) => {
    // Who asked for the start hears of its failure.
    const started = await starting?.catch(() => null);
    await started?.drain(graceMs);
  };
  return {
    get worker() {
      return worker;
    },
    async start(startWorker) {
      if (draining !== null) throw new AppError('service_unavailable');
      if (starting !== null) throw new AppError('internal_error', undefined, { cause: 'the queue works already' });
      starting = startWorker();
      worker = await starting;
    },
    drain: (graceMs) => (draining ??= drainWorker(graceMs)),
  };
}
