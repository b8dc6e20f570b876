import { TimeoutError } from '#client/errors.ts';

/** Aborts a request after a time without progress, or when the caller wants to. */
export type IdleTimer = {
  signal: AbortSignal;
  /** Starts the time again. */
  touch(): void;
  /** Stops the time, for example while the caller works on received data. */
  stop(): void;
  /** Forgets the caller's signal, because the response was read. */
  done(): void;
  /** Forgets the caller's signal and ends the request if it still runs. */
  end(): void;
};

/**
 * Starts a timer; a `timeoutMs` of 0 sets no limit. Call `done` or `end` when the request is over.
 */
export function startIdleTimer(timeoutMs: number, callers: AbortSignal | undefined): IdleTimer {
  const controller = new AbortController();
  const limited: Limited = {
    expiresAtMs: Infinity,
    expire() {
      const message = `Nothing was sent or received for ${timeoutMs / 1_000} seconds.`;
      controller.abort(new TimeoutError(message, { code: 'timeout' }));
    },
  };
  const touch = () => {
    if (timeoutMs > 0) expireAt(limited, performance.now() + timeoutMs);
  };
  const stop = () => void (limited.expiresAtMs = Infinity);
  const abort = () => controller.abort(callers?.reason);
  callers?.addEventListener('abort', abort, { once: true });
  if (callers?.aborted === true) abort();
  const done = () => {
    forget(limited);
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

type Limited = { expiresAtMs: number; expire(): void };

/**
 * The running requests. They share one timer, because a timer for each would take a tenth of the
 * time of a request.
 */
const requests = new Set<Limited>();
let timer: ReturnType<typeof setTimeout> | undefined;
let wakesAtMs = Infinity;

function expireAt(request: Limited, atMs: number): void {
  request.expiresAtMs = atMs;
  requests.add(request);
  // An earlier wake-up finds the later times.
  if (atMs < wakesAtMs) wakeAt(atMs);
}

function forget(request: Limited): void {
  requests.delete(request);
  if (requests.size > 0 || isNodeTimer(timer)) return;
  clearTimeout(timer);
  wakesAtMs = Infinity;
}

function wakeAt(atMs: number): void {
  clearTimeout(timer);
  wakesAtMs = atMs;
  timer = setTimeout(expireLate, Math.max(0, atMs - performance.now()));
  // Connections keep the program running, and this timer may outlive them.
  if (isNodeTimer(timer)) timer.unref();
}

/**
 * Returns true for a timer of Node; timers of browsers and Deno are numbers, which have no `unref`.
 */
function isNodeTimer(value: unknown): value is { unref(): void } {
  return typeof value === 'object' && value !== null;
}

function expireLate(): void {
  wakesAtMs = Infinity;
  const nowMs = performance.now();
  let nextMs = Infinity;
  for (const request of requests) {
    if (request.expiresAtMs > nowMs) nextMs = Math.min(nextMs, request.expiresAtMs);
    else {
      requests.delete(request);
      request.expire();
    }
  }
  if (nextMs < Infinity) wakeAt(nextMs);
}
