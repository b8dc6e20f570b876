import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** Tracks the running work of a feature, so that a stopping server can wait for it. */
export type DrainTracker = {
  /** Registers work; call the result when the work has ended. */
  begin(): () => void;
  /** A signal that also aborts when the time for draining is over, with `service_unavailable`. */
  until(signal: AbortSignal): AbortSignal;
  /** Runs work with that signal. */
  run<Result>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Waits until no work runs, and aborts what is left after `withinMs`. */
  drain(withinMs: number): Promise<void>;
};

const POLL_MS = 20;

export function createDrainTracker(): DrainTracker {
  const stopping = new AbortController();
  const running = new Set<symbol>();
  const begin = () => {
    const piece = Symbol('work');
    running.add(piece);
    return () => void running.delete(piece);
  };
  const until = (signal: AbortSignal) => AbortSignal.any([signal, stopping.signal]);
  return {
    begin,
    until,
    async run(signal, work) {
      const end = begin();
      try {
        return await work(until(signal));
      } finally {
        end();
      }
    },
    async drain(withinMs) {
      const untilMs = performance.now() + withinMs;
      while (running.size > 0 && performance.now() < untilMs) await sleep(POLL_MS);
      stopping.abort(new AppError('service_unavailable'));
    },
  };
}
