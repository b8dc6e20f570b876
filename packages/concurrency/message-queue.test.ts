import { describe, expect, it } from 'vitest';
import { createMessageQueue } from './message-queue.ts';

describe('a message queue', () => {
  it('gives the messages in order, those before and those during the wait', async () => {
    const queue = createMessageQueue<number>();
    queue.push(1);
    queue.push(2);
    const all = Array.fromAsync(queue.messages);
    await Promise.resolve();
    queue.push(3);
    queue.end();
    expect(await all).toEqual([1, 2, 3]);
  });

  it('throws a failure after the messages before it', async () => {
    const queue = createMessageQueue<number>();
    queue.push(1);
    queue.fail('broken');
    const seen: number[] = [];
    const reading = (async () => {
      for await (const message of queue.messages) seen.push(message);
    })();
    await expect(reading).rejects.toBe('broken');
    expect(seen).toEqual([1]);
  });

  it('takes nothing after its end', async () => {
    const queue = createMessageQueue<number>();
    queue.end();
    queue.push(1);
    queue.fail('too late');
    expect(await Array.fromAsync(queue.messages)).toEqual([]);
  });

  it('ends when its reader stops', async () => {
    const queue = createMessageQueue<number>();
    queue.push(1);
    for await (const message of queue.messages) {
      expect(message).toBe(1);
      break;
    }
    queue.push(2);
    expect(await Array.fromAsync(queue.messages)).toEqual([]);
  });
});
