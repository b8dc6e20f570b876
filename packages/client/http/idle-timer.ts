import { TimeoutError } from '#client/errors.ts';

/** Aborts a request after a time without progress, or when the caller wants to. */
export type IdleTimer = {
  signal: AbortSignal;
  /** Starts the time again. */
  touch(): void;
  /** Stops the time, such as while the caller works on what was received. */
  stop(): void;
  /** Forgets the caller's signal: the answer was read. */
  done(): void;
  /** The same, and ends the request if it still runs. */
  end(): void;
};

/** `timeoutMs` 0: no limit. Call `done` or `end` when the request is over. */
export function startIdleTimer(timeoutMs: number, callers: AbortSignal | undefined): IdleTimer {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const touch = () => {
    stop();
    if (timeoutMs <= 0) return;
    const expire = () => {
      const message = `Nothing was sent or received for ${timeoutMs / 1_000} seconds.`;
      controller.abort(new TimeoutError(message, { code: 'timeout' }));
    };
    timer = setTimeout(expire, timeoutMs);
  };
  const abort = () => controller.abort(callers?.reason);
  callers?.addEventListener('abort', abort, { once: true });
  if (callers?.aborted === true) abort();
  const done = () => {
    stop();
    callers?.removeEventListener('abort', abort);
  };
  touch();
  return {
    signal: controller.signal,
    touch,
    stop,
    done,
    end() {
      done();
      controller.abort();
    },
  };
}
