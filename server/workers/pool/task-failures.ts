import { AppError } from '@jyutsing/contracts/errors';

export type TaskLimits = {
  /**
   * The task must yield an event at least this often; time in which it waits for the consumer, or
   * for a processor that others use, does not count.
   */
  silenceTimeoutMs: number;
  /** From the start of the work to its end. */
  timeLimitMs: number;
};

const ABORT_GRACE_MS = 2_000;

/** The times of `performance.now()` and the numbers of a running task that its limits are about. */
type TaskProgress = {
  limits: TaskLimits;
  startedMs: number;
  lastEventMs: number;
  waitedForProcessorMs: number;
  /** The time at which the task was asked to stop; null while it may work. */
  abortedMs: number | null;
  /** Whether it waits until its events are read. */
  waitsForReader(): boolean;
};

/** The error of a task that exceeds one of its limits; null while it keeps them. */
export function brokenLimit(run: TaskProgress, rssBytes: number, memoryLimitBytes: number): AppError | null {
  const nowMs = performance.now();
  if (rssBytes > memoryLimitBytes) {
    return new AppError('engine_failed', 'This recording needs more memory than the server allows.');
  }
  if (run.abortedMs !== null) {
    return nowMs - run.abortedMs > ABORT_GRACE_MS ? new AppError('client_closed_request') : null;
  }
  if (nowMs - run.startedMs > run.limits.timeLimitMs) return new AppError('timed_out');
  if (!run.waitsForReader() && nowMs - run.lastEventMs - run.waitedForProcessorMs > run.limits.silenceTimeoutMs) {
    return new AppError('timed_out', 'The work on this recording made no progress and was stopped.');
  }
  return null;
}

/**
 * The error of a task whose process could not be started: the machine is busy, or has no memory or
 * processes left, which says nothing about the task.
 */
export function cannotStart(cause: unknown): AppError {
  const message = 'The server could not start a process for this work; try again shortly.';
  return new AppError('service_unavailable', message, { cause });
}

/** The status with which a process ended, or the signal that ended it. */
type Exit = [code: number | null, signal: NodeJS.Signals | null];
const FROM_OUTSIDE: readonly unknown[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * The error of a task whose process ended by itself. One that was never ready has not seen the
 * task, and a kill from outside (an operator, a system short of memory) may be retried. A signal
 * raised by native code (SIGABRT, SIGSEGV …) or an exit would happen again.
 */
export function exitError([code, signal]: Exit, wasReady: boolean, stderrTail: string): AppError {
  const cause = `worker process ended with ${signal ?? `code ${code}`}: ${stderrTail}`;
  if (!wasReady) return cannotStart(cause);
  if (!FROM_OUTSIDE.includes(signal)) return new AppError('engine_failed', undefined, { cause });
  return new AppError('service_unavailable', 'The work was interrupted; try again shortly.', { cause });
}
