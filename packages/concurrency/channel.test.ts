import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createChannel } from './channel.ts';
import { testQueue, readAll } from './testing/queue-rules.ts';

describe('a channel', () => {
  testQueue(() => createChannel<number>());
});

/** Resolves to whether a promise is pending when everything that can happen has happened. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  await nextTurn();
  return !isSettled;
}

describe('readers of a channel', () => {
  it('that stop early close it', async () => {
    const channel = createChannel<number>();
    channel.push(1);
    channel.push(2);
    for await (const item of channel) {
      expect(item).toBe(1);
      break;
    }
    channel.push(3);
    expect(await channel.send(4)).toBe(false);
    expect(await readAll(channel)).toEqual({ read: [], failure: null });
  });

  it('that stop early end a reader that waits beside them', async () => {
    const channel = createChannel<number>();
    const waiting = readAll(channel);
    const stopping = channel[Symbol.asyncIterator]();
    await stopping.return?.();
    expect(await waiting).toEqual({ read: [], failure: null });
  });

  it('that wait are served in the order in which they came', async () => {
    const channel = createChannel<number>();
    const steps = [channel.next(), channel.next(), channel.next()];
    channel.push(1);
    channel.push(2);
    channel.fail('broken');
    expect(await Promise.allSettled(steps)).toEqual([
      { status: 'fulfilled', value: { done: false, value: 1 } },
      { status: 'fulfilled', value: { done: false, value: 2 } },
      { status: 'rejected', reason: 'broken' },
    ]);
  });

  it('learn the outcome however often they ask', async () => {
    const [closed, failed] = [createChannel<number>(), createChannel<number>()];
    closed.close();
    failed.fail('broken');
    for (let i = 0; i < 2; i += 1) {
      expect(await closed.next()).toEqual({ done: true, value: undefined });
      await expect(failed.next()).rejects.toBe('broken');
    }
  });

  it('get undefined like every other item', async () => {
    const channel = createChannel<undefined>();
    channel.push(undefined);
    channel.close();
    expect(await Array.fromAsync(channel)).toEqual([undefined]);
  });
});

describe('an abort', () => {
  it('drops the unread items and throws its reason at once', async () => {
    const channel = createChannel<number>();
    channel.push(1);
    channel.abort('left');
    channel.push(2);
    expect(await readAll(channel)).toEqual({ read: [], failure: 'left' });
  });

  it('wakes a waiting reader', async () => {
    const channel = createChannel<number>();
    const reading = readAll(channel);
    await Promise.resolve();
    channel.abort('left');
    expect(await reading).toEqual({ read: [], failure: 'left' });
  });

  it.each(['close', 'fail'] as const)('comes before the items that wait for their reader after a %s', async (end) => {
    const channel = createChannel<number>();
    channel.push(1);
    channel[end]('broken');
    channel.abort('left');
    expect(await readAll(channel)).toEqual({ read: [], failure: 'left' });
  });

  it('stays the outcome: neither a second one nor a failure replaces it', async () => {
    const channel = createChannel<number>();
    channel.abort('left');
    channel.abort('left again');
    channel.fail('broken');
    expect(await readAll(channel)).toEqual({ read: [], failure: 'left' });
  });
});

describe('a writer', () => {
  it('of an unlimited channel never waits', async () => {
    const channel = createChannel<number>();
    for (let item = 0; item < 1_000; item += 1) expect(await channel.send(item)).toBe(true);
    channel.close();
    expect((await readAll(channel)).read).toEqual(Array.from({ length: 1_000 }, (_, item) => item));
  });

  it('waits once the sizes of unread items exceed the capacity', async () => {
    const channel = createChannel<string>({ capacity: 5, sizeOf: (text) => text.length });
    expect(await channel.send('abc')).toBe(true);
    expect(await channel.send('de')).toBe(true);
    const third = channel.send('f');
    expect(await isPending(third)).toBe(true);
    expect(await channel.next()).toEqual({ done: false, value: 'abc' });
    expect(await third).toBe(true);
    expect(await channel.next()).toEqual({ done: false, value: 'de' });
  });

  it('does not wait for items without size, nor for a reader that waits for its item', async () => {
    const channel = createChannel<number>({ capacity: 0, sizeOf: (item) => item });
    expect(await channel.send(0)).toBe(true);
    await channel.next();
    const reading = channel.next();
    expect(await channel.send(7)).toBe(true);
    expect(await reading).toEqual({ done: false, value: 7 });
  });

  it('passes an item that is larger than the capacity', async () => {
    const channel = createChannel<number>({ capacity: 2, sizeOf: (item) => item });
    const sending = channel.send(100);
    expect(await isPending(sending)).toBe(true);
    expect(await channel.next()).toEqual({ done: false, value: 100 });
    expect(await sending).toBe(true);
  });

  it('waits without a capacity until its item is taken', async () => {
    const channel = createChannel<number>({ capacity: 0 });
    const sending = channel.send(1);
    expect(await isPending(sending)).toBe(true);
    await channel.next();
    expect(await sending).toBe(true);
  });

  it('that waits beside others goes on when there is room for all that was written', async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const sending = [channel.send(1), channel.send(2), channel.send(3)];
    expect(await Promise.all(sending.map(isPending))).toEqual([false, true, true]);
    await channel.next();
    expect(await Promise.all(sending.map(isPending))).toEqual([false, true, true]);
    await channel.next();
    expect(await Promise.all(sending)).toEqual([true, true, true]);
  });

  it.each([
    ['is aborted', (channel: ReturnType<typeof createChannel<number>>) => channel.abort('left')],
    ['fails', (channel: ReturnType<typeof createChannel<number>>) => channel.fail('broken')],
    ['is closed', (channel: ReturnType<typeof createChannel<number>>) => channel.close()],
    [
      'is left by its reader',
      (channel: ReturnType<typeof createChannel<number>>) => channel[Symbol.asyncIterator]().return?.(),
    ],
  ])('that waits learns that the channel %s', async (_, end) => {
    const channel = createChannel<number>({ capacity: 0 });
    const sending = channel.send(1);
    await nextTurn();
    await end(channel);
    expect(await sending).toBe(false);
  });
});
