import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { interleave } from './transcribe-recording.ts';

const NEVER = new AbortController().signal;

/** Yields items, each when its gate opens, and returns the last word. */
async function* gated<Item, Last>(gates: readonly [Promise<unknown>, Item][], last: Last) {
  for (const [gate, item] of gates) {
    await gate;
    yield item;
  }
  return last;
}

async function* nothing() {
  yield* [];
}

it('items come in the order in which they are made, and both results are returned', async () => {
  const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = interleave(
    () => gated([[late.promise, 'late']], 1),
    () => gated([[early.promise, 'early'], [early.promise, 'next']], 2), // prettier-ignore
    NEVER,
  );
  early.resolve();
  expect(await both.next()).toEqual({ done: false, value: 'early' });
  expect(await both.next()).toEqual({ done: false, value: 'next' });
  late.resolve();
  expect(await both.next()).toEqual({ done: false, value: 'late' });
  expect(await both.next()).toEqual({ done: true, value: [1, 2] });
});

it('a generator waits while its item is not taken', async () => {
  let made = 0;
  async function* counting() {
    for (;;) yield (made += 1);
  }
  const both = interleave(counting, nothing, NEVER);
  await both.next();
  await sleep(0);
  expect(made).toBe(1);
  await both.return([undefined as never, undefined]);
});

/** Yields one item and then waits for its signal, at which it throws its reason. */
async function* untilStopped(stop: AbortSignal, ended: () => void) {
  try {
    yield 'first';
    await new Promise((_resolve, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
  } finally {
    ended();
  }
}

it('a failure of one stops the other, and is thrown when that has ended', async () => {
  const failure = new Error('it broke');
  const gate = Promise.withResolvers<void>();
  let hasEnded = false;
  const both = interleave(
    (stop) => untilStopped(stop, () => (hasEnded = true)),
    async function* () {
      await gate.promise;
      yield* [];
      throw failure;
    },
    NEVER,
  );
  await both.next();
  gate.resolve();
  await expect(both.next()).rejects.toBe(failure);
  expect(hasEnded).toBe(true);
});

it('a reader that leaves stops both', async () => {
  const ended: string[] = [];
  const both = interleave(
    (stop) => untilStopped(stop, () => ended.push('first')),
    (stop) => untilStopped(stop, () => ended.push('second')),
    NEVER,
  );
  await both.next();
  await both.return([undefined as never, undefined as never]);
  expect(ended.sort()).toEqual(['first', 'second']);
});

it('an aborted signal throws its reason', async () => {
  const abort = new AbortController();
  const both = interleave((stop) => untilStopped(stop, () => {}), nothing, abort.signal);
  await both.next();
  const next = both.next();
  abort.abort(new Error('it was cancelled'));
  await expect(next).rejects.toThrow('it was cancelled');
});
