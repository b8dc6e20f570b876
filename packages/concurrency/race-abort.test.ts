import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { raceAbort } from './race-abort.ts';

const pending = new Promise<never>(() => {});
const reason = new Error('the client disconnected');

it('gives the result or the error of work that ends first', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
  await expect(raceAbort(Promise.reject(reason), signal)).rejects.toBe(reason);
});

it('throws the reason of a signal that aborts first, or has aborted before', async () => {
  const abort = new AbortController();
  const raced = raceAbort(pending, abort.signal);
  abort.abort(reason);
  await expect(raced).rejects.toBe(reason);
  await expect(raceAbort(pending, abort.signal)).rejects.toBe(reason);
});

it('leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  await raceAbort(Promise.resolve(), signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
