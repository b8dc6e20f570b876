import { describe, expect, test, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { withRetries, type RetryOptions } from './retry.ts';

// Pauses end at once; `onRetry` receives how long they would have been.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (_pauseMs: number, _value: unknown, { signal }: { signal: AbortSignal }) => signal.throwIfAborted(),
}));

const broken = (retryAfterSeconds?: number) =>
  new AppError('service_unavailable', 'broken', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

type Retry = { reason: string; pauseMs: number };
type Conditions = {
  retries?: number;
  progressBytes?: () => number;
  controller?: AbortController;
  onPause?: () => void;
};

/** Runs an attempt to its end. */
async function run<T>(
  attempt: () => Promise<T>,
  { retries = 3, progressBytes, controller = new AbortController(), onPause }: Conditions = {},
): Promise<{ outcome: PromiseSettledResult<T>; pauses: Retry[] }> {
  const pauses: Retry[] = [];
  const options: RetryOptions = {
    retries,
    signal: controller.signal,
    onRetry(reason, pauseMs) {
      pauses.push({ reason, pauseMs });
      onPause?.();
    },
  };
  const [outcome] = await Promise.allSettled([withRetries(options, attempt, progressBytes)]);
  return { outcome, pauses };
}

/** Fails with these errors in turn, then succeeds. */
function failing(...errors: readonly unknown[]) {
  const errorsLeft = [...errors];
  return vi.fn(async () => {
    if (errorsLeft.length > 0) throw errorsLeft.shift();
    return 'done';
  });
}

describe('an attempt that fails', () => {
  test('at no time is made once', async () => {
    const attempt = failing();
    expect(await run(attempt)).toEqual({ outcome: { status: 'fulfilled', value: 'done' }, pauses: [] });
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('is repeated after pauses that double', async () => {
    const { outcome, pauses } = await run(failing(broken(), broken(), broken()));
    expect(outcome).toMatchObject({ value: 'done' });
    expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual([500, 1_000, 2_000]);
  });

  test('more often than allowed is given up with its error', async () => {
    const attempt = failing(broken(), broken(), broken());
    const { outcome, pauses } = await run(attempt, { retries: 2 });
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    expect([attempt.mock.calls.length, pauses.length]).toEqual([3, 2]);
  });

  test('for good is not repeated', async () => {
    const attempt = failing(new AppError('not_found', 'gone'));
    expect((await run(attempt)).outcome).toMatchObject({ reason: { code: 'not_found' } });
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('for a reason that is no network error is not repeated', async () => {
    const bug = new RangeError('a bug');
    const attempt = failing(bug);
    expect((await run(attempt)).outcome).toMatchObject({ reason: bug });
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('waits as long as the server asks, but half a minute at most', async () => {
    const { pauses } = await run(failing(broken(7), broken(0), broken(9_999)));
    expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual([7_000, 0, 30_000]);
  });

  test('never waits longer than half a minute', async () => {
    const { pauses } = await run(failing(...Array.from({ length: 9 }, () => broken())), { retries: 9 });
    expect(Math.max(...pauses.map(({ pauseMs }) => pauseMs))).toBe(30_000);
    expect(pauses).toHaveLength(9);
  });
});

describe('progress', () => {
  test('makes the next attempt soon, and failures count anew', async () => {
    let bytes = 0;
    const errors = Array.from({ length: 20 }, () => broken());
    const attempt = failing(...errors);
    const { outcome, pauses } = await run(
      async () => {
        bytes += 10;
        return attempt();
      },
      { retries: 1, progressBytes: () => bytes },
    );
    expect(outcome).toMatchObject({ value: 'done' });
    expect(new Set(pauses.map(({ pauseMs }) => pauseMs))).toEqual(new Set([100]));
  });

  test('that stops no longer counts', async () => {
    let bytes = 0;
    const attempt = vi.fn(async () => {
      if (attempt.mock.calls.length < 3) bytes += 10;
      throw broken();
    });
    const { pauses } = await run(attempt, { retries: 2, progressBytes: () => bytes });
    expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual([100, 100, 500, 1_000]);
  });
});

const lost = (message: string, code?: string) =>
  new TypeError(message, code === undefined ? {} : { cause: Object.assign(new Error('x'), { code }) });

describe('an error of fetch', () => {
  test.each([
    [lost('terminated'), 'the connection was lost'],
    [lost('terminated', 'UND_ERR_SOCKET'), 'the connection was lost (UND_ERR_SOCKET)'],
    [lost('fetch failed', 'ECONNREFUSED'), 'the server cannot be reached (ECONNREFUSED)'],
    [lost('fetch failed'), 'the server cannot be reached'],
  ])('%s is repeated because %s', async (error, reason) => {
    const { outcome, pauses } = await run(failing(error));
    expect(outcome).toMatchObject({ value: 'done' });
    expect(pauses.map((pause) => pause.reason)).toEqual([reason]);
  });
});

describe('an aborted signal', () => {
  test('ends the attempts with its reason', async () => {
    const controller = new AbortController();
    const stop = new Error('stop');
    const attempt = vi.fn(async () => {
      controller.abort(stop);
      throw broken();
    });
    expect((await run(attempt, { controller })).outcome).toMatchObject({ reason: stop });
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('ends a pause', async () => {
    const controller = new AbortController();
    const attempt = failing(broken(30), broken(30));
    const { outcome } = await run(attempt, { controller, onPause: () => controller.abort() });
    expect(outcome.status).toBe('rejected');
    expect(attempt).toHaveBeenCalledOnce();
  });
});
