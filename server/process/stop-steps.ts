import type { FastifyBaseLogger } from 'fastify';
import { withinTime } from '@jyutsing/concurrency/within-time';

/** A step of stopping may take this long, unless its work has a time limit of its own. */
export const STEP_LIMIT_MS = 6_000;

export type StopSteps = {
  /**
   * Runs one step. A failure, or no end within `limitMs` (`STEP_LIMIT_MS` at first), is logged with
   * `name`, and the next step can follow: never rejects.
   */
  run(name: string, work: () => Promise<unknown>, limitMs?: number): Promise<void>;
  /** Whether a step failed or did not end in time. */
  hasFailed(): boolean;
};

/**
 * The steps of stopping, each of which is tried whatever became of those before it: a database that
 * is away must neither cut off running responses nor keep the process from ending.
 */
export function createStopSteps(logger: Pick<FastifyBaseLogger, 'error'>): StopSteps {
  let failed = false;
  const report = (name: string, details: object) => {
    failed = true;
    logger.error(details, `stopping: ${name} failed`);
  };
  return {
    async run(name, work, limitMs = STEP_LIMIT_MS) {
      // The work may throw before it returns a promise, and may fail after its limit.
      const isDone = (async () => {
        try {
          await work();
        } catch (cause) {
          report(name, { cause });
        }
      })();
      await withinTime(isDone, limitMs, () => report(name, { limitMs }));
    },
    hasFailed: () => failed,
  };
}
