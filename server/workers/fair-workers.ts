import type { Gauge } from 'prom-client';
import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import type { Task } from './define-task.ts';
import type { WorkerPools } from './worker-pools.ts';

export type FairWorkers = {
  /**
   * Runs a task for an account. Throws what the task throws; an aborted signal throws its reason.
   */
  run<Input, Result>(task: Task<Input, Result>, input: Input, accountId: string, signal?: AbortSignal): Promise<Result>;
};

const NEVER = new AbortController().signal;

/**
 * Runs interactive tasks so that accounts take turns: in order of arrival, a hundred recordings of
 * one account would come before the first of another. `count`: see `WorkerPoolsOptions`; as many
 * tasks of a kind run at a time, so none waits in the pool, where the order is that of arrival.
 * `waiting` shows how many wait for their turn.
 */
export function createFairWorkers(
  pools: Pick<WorkerPools, 'run'>,
  count: number,
  waiting: Pick<Gauge<'task'>, 'inc' | 'dec'>,
): FairWorkers {
  const schedulers = new Map<string, FairScheduler>();
  return {
    async run(task, input, accountId, signal = NEVER) {
      const scheduler = schedulers.get(task.name) ?? new FairScheduler(count);
      schedulers.set(task.name, scheduler);
      const label = { task: task.name };
      waiting.inc(label);
      const release = await scheduler
        .acquire({ accountId, dueMs: performance.now() }, signal)
        .finally(() => waiting.dec(label));
      try {
        return await (signal === NEVER ? pools.run(task, input) : pools.run(task, input, signal));
      } finally {
        release();
      }
    },
  };
}
