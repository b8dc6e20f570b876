import { describe, expect, it } from 'vitest';
import { testQueue } from '#packages/concurrency/testing/queue-rules.ts';
import { EventQueue } from './event-queue.ts';

describe('the queue of the client', () => {
  testQueue(() => new EventQueue<number>());
});

it('a second loop goes on where the first one stopped', async () => {
  const queue = new EventQueue<number>();
  for (const event of [1, 2, 3]) queue.push(event);
  queue.close();
  for await (const event of queue) {
    expect(event).toBe(1);
    break;
  }
  expect(await Array.fromAsync(queue)).toEqual([2, 3]);
});
