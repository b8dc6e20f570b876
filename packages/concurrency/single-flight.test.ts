import { getEventListeners } from 'node:events';
import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { createSingleFlight } from './single-flight.ts';

const never = new AbortController().signal;
const shared = (options: { keptMs?: number; failureKeptMs?: number; maxSize?: number } = {}) =>
  createSingleFlight<string>({
    keptMs: 60_000,
    failureKeptMs: 60_000,
    maxSize: 100,
    sizeOf: (value) => value.length,
    failureSize: 6,
    ...options,
  });

/** The signal of a request, combined with one that lives as long as the process. */
const ofRequest = (client = new AbortController()) => ({ client, signal: AbortSignal.any([client.signal, never]) });

/** Work that ends when the test resolves it. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = vi.fn((signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  });
  return { work, resolve, reject, signals };
}

describe('single flight', () => {
  it('runs once for concurrent callers, and its result is cached for later ones', async () => {
    const share = shared();
    const { work, resolve } = heldWork();
    const calls = Array.from({ length: 20 }, () => share('video', work, never));
    resolve('lines');
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, () => 'lines'));
    expect(await share('video', work, never)).toBe('lines');
    expect(work).toHaveBeenCalledTimes(1);
    await share('another', work, never);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('a result expires', async () => {
    const share = shared({ keptMs: 20 });
    const work = vi.fn(async () => 'lines');
    await share('video', work, never);
    await vi.waitFor(async () => {
      await share('video', work, never);
      expect(work).toHaveBeenCalledTimes(2);
    });
  });

  it('an AppError is cached for a shorter time, an unexpected error is not cached', async () => {
    const share = shared();
    const refused = vi.fn(async () => Promise.reject(new AppError('caption_tracks_failed')));
    const both = await Promise.allSettled([share('a', refused, never), share('a', refused, never)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(share('a', refused, never)).rejects.toMatchObject({ code: 'caption_tracks_failed' });
    expect(refused).toHaveBeenCalledTimes(1);
    const broken = vi.fn(async () => Promise.reject(new TypeError('a bug')));
    await expect(share('b', broken, never)).rejects.toThrow('a bug');
    await expect(share('b', broken, never)).rejects.toThrow('a bug');
    expect(broken).toHaveBeenCalledTimes(2);
    const impatient = shared({ failureKeptMs: 0 });
    await expect(impatient('a', refused, never)).rejects.toMatchObject({ code: 'caption_tracks_failed' });
    await expect(impatient('a', refused, never)).rejects.toMatchObject({ code: 'caption_tracks_failed' });
    expect(refused).toHaveBeenCalledTimes(3);
  });

  it('one caller that aborts leaves the work running; the last one aborts it', async () => {
    const share = shared();
    const { work, signals, resolve } = heldWork();
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [share('video', work, first.signal), share('video', work, second.signal)];
    first.abort(new AppError('client_closed_request'));
    await expect(calls[0]).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(signals[0]!.aborted).toBe(false);
    second.abort(new AppError('client_closed_request'));
    await expect(calls[1]).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(signals[0]!.aborted).toBe(true);
    // A result that arrives after the abort is dropped; a new caller starts new work.
    const later = heldWork();
    const fresh = share('video', later.work, never);
    resolve('too late');
    await tick();
    later.resolve('in time');
    expect(await fresh).toBe('in time');
    expect(await share('video', later.work, never)).toBe('in time');
    expect(later.work).toHaveBeenCalledTimes(1);
  });

  it('the cache stays within its size', async () => {
    const share = shared({ maxSize: 10 });
    const work = vi.fn(async () => 'sixsix');
    await share('a', work, never);
    await share('b', work, never);
    await share('b', work, never);
    expect(work).toHaveBeenCalledTimes(2);
    await share('a', work, never);
    expect(work).toHaveBeenCalledTimes(3);
    await share('huge', async () => 'x'.repeat(50), never);
    // Failures count as well.
    const refused = vi.fn(async () => Promise.reject(new AppError('caption_tracks_failed')));
    const failed = { code: 'caption_tracks_failed' };
    for (const key of ['c', 'd', 'c']) await expect(share(key, refused, never)).rejects.toMatchObject(failed);
    expect(refused).toHaveBeenCalledTimes(3);
  });

  it('no abort listener remains, however the work ends: it would keep its request and result in memory', async () => {
    const share = shared();
    const { work, resolve } = heldWork();
    const [waits, joins, leaves, fails] = [ofRequest(), ofRequest(), ofRequest(), ofRequest()];
    const calls = [waits, joins, leaves].map(({ signal }) => share('video', work, signal));
    leaves.client.abort(new AppError('client_closed_request'));
    resolve('lines');
    await Promise.allSettled([
      ...calls,
      share('other', () => Promise.reject(new AppError('summary_failed')), fails.signal),
    ]);
    for (const { signal } of [waits, joins, leaves, fails]) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('a caller that has aborted already starts no work', async () => {
    const { work } = heldWork();
    const gone = AbortSignal.abort(new AppError('client_closed_request'));
    await expect(shared()('video', work, gone)).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(work).not.toHaveBeenCalled();
  });
});
