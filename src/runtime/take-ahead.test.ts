import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeAhead } from './take-ahead.ts';

const never = new AbortController().signal;

/** Counts to `count`, and says how far it is and how it ended. */
function counter(count: number, failure: Error | null = null) {
  const state = { made: 0, abortedWith: null as unknown };
  async function* start(signal: AbortSignal): AsyncGenerator<number> {
    signal.addEventListener('abort', () => (state.abortedWith = signal.reason));
    for (; state.made < count; state.made += 1) {
      await sleep(0);
      signal.throwIfAborted();
      yield state.made;
    }
    if (failure !== null) throw failure;
  }
  return { state, start };
}

test('a consumer who sleeps does not hold the maker up, and gets everything in order', async () => {
  const { state, start } = counter(50);
  const heard: number[] = [];
  for await (const each of takeAhead(start, never)) {
    if (each === 0) while (state.made < 50) await sleep(1);
    heard.push(each);
  }
  expect(heard).toEqual(Array.from({ length: 50 }, (_, i) => i));
});

test('a failure comes after the events before it', async () => {
  const { start } = counter(3, new Error('broken'));
  const heard: number[] = [];
  const listen = async () => {
    for await (const each of takeAhead(start, never)) heard.push(each);
  };
  await expect(listen()).rejects.toThrow('broken');
  expect(heard).toEqual([0, 1, 2]);
});

test('a consumer who leaves ends the maker', async () => {
  const { state, start } = counter(1_000);
  for await (const each of takeAhead(start, never)) if (each === 2) break;
  expect(state.abortedWith).toMatchObject({ code: 'client_closed_request' });
  const { made } = state;
  await sleep(20);
  expect(state.made).toBeLessThanOrEqual(made + 1);
});

test('an aborted signal ends it with its reason, whatever still waits', async () => {
  const { start } = counter(1_000);
  const abort = new AbortController();
  const listen = async () => {
    for await (const each of takeAhead(start, abort.signal)) {
      if (each === 1) {
        await sleep(20);
        abort.abort(new Error('enough'));
      }
      expect(each).toBeLessThanOrEqual(1);
    }
  };
  await expect(listen()).rejects.toThrow('enough');
});
