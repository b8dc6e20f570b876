import { expect, test } from 'vitest';
import { CLIENT_DISCONNECTED } from '#test/speech-parts.ts';
import { DeadlineScheduler } from './deadline-scheduler.ts';

const never = new AbortController().signal;

test('calls within the limit start at once, the others by their deadlines', async () => {
  const scheduler = new DeadlineScheduler();
  const order: string[] = [];
  const first = await scheduler.acquire(2, 0, never);
  const second = await scheduler.acquire(2, 0, never);
  const waiting = [
    ['late', 900],
    ['soon', 100],
    ['later', 1_000],
    ['now', 5],
  ] as const;
  const taken = waiting.map(async ([name, dueMs]) => {
    const release = await scheduler.acquire(2, dueMs, never);
    order.push(name);
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(order).toEqual([]);
  first();
  await Promise.all(taken);
  expect(order).toEqual(['now', 'soon', 'late', 'later']);
  second();
});

test('calls with the same deadline start in order of arrival', async () => {
  const scheduler = new DeadlineScheduler();
  const order: number[] = [];
  const first = await scheduler.acquire(1, 0, never);
  const taken = Array.from({ length: 5 }, async (_, i) => {
    const release = await scheduler.acquire(1, 7, never);
    order.push(i);
    release();
  });
  first();
  await Promise.all(taken);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('a call that is aborted while it waits takes no slot', async () => {
  const scheduler = new DeadlineScheduler();
  const first = await scheduler.acquire(1, 0, never);
  const aborting = new AbortController();
  const aborted = scheduler.acquire(1, 1, aborting.signal);
  const stayed = scheduler.acquire(1, 2, never);
  aborting.abort(CLIENT_DISCONNECTED);
  await expect(aborted).rejects.toBe(CLIENT_DISCONNECTED);
  first();
  (await stayed)();
  (await scheduler.acquire(1, 3, never))();
  await expect(scheduler.acquire(1, 4, AbortSignal.abort(CLIENT_DISCONNECTED))).rejects.toBe(CLIENT_DISCONNECTED);
  (await scheduler.acquire(1, 5, never))();
});
