import { expect, test } from 'vitest';
import { CLIENT_DISCONNECTED } from '#test/speech-parts.ts';
import { FairScheduler, type SlotRequest } from './fair-scheduler.ts';

const never = new AbortController().signal;
const slot = (dueMs: number, accountId = 'one') => ({ accountId, dueMs });

/** Waits for a slot and gives it back at once. */
async function take(scheduler: FairScheduler, request: SlotRequest, onStart: () => void): Promise<void> {
  const release = await scheduler.acquire(request, never);
  onStart();
  release();
}

/** Asks for a slot for each call; returns the names in the order in which they started. */
async function orderOf(scheduler: FairScheduler, calls: readonly [name: string, dueMs: number, accountId?: string][]) {
  const order: string[] = [];
  const first = await scheduler.acquire(slot(0), never);
  const taken = calls.map(([name, dueMs, accountId]) =>
    take(scheduler, slot(dueMs, accountId), () => order.push(name)),
  );
  first();
  await Promise.all(taken);
  return order;
}

test('calls within the limit start at once, the others by their deadlines', async () => {
  const scheduler = new FairScheduler(2);
  const order: string[] = [];
  const first = await scheduler.acquire(slot(0), never);
  const second = await scheduler.acquire(slot(0), never);
  const waiting = [
    ['late', 900],
    ['soon', 100],
    ['later', 1_000],
    ['now', 5],
  ] as const;
  const taken = waiting.map(async ([name, dueMs]) => {
    const release = await scheduler.acquire(slot(dueMs), never);
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
  const order = await orderOf(
    new FairScheduler(1),
    Array.from({ length: 5 }, (_, i) => [String(i), 7]),
  );
  expect(order).toEqual(['0', '1', '2', '3', '4']);
});

test('accounts take turns, and a new account does not wait for the calls of another', async () => {
  const hundred = Array.from({ length: 100 }, (_, i): [string, number] => [`one ${i}`, i]);
  const order = await orderOf(new FairScheduler(1), [
    ...hundred,
    ['two a', 200, 'two'],
    ['two b', 201, 'two'],
    ['three', 300, 'three'],
  ]);
  expect(order.slice(0, 5)).toEqual(['two a', 'three', 'one 0', 'two b', 'one 1']);
  expect(order.slice(5)).toEqual(hundred.slice(2).map(([name]) => name));
});

test('an account that was served before waits no longer than a new one', async () => {
  const scheduler = new FairScheduler(2);
  const running = await scheduler.acquire(slot(0, 'two'), never);
  for (let served = 0; served < 50; served += 1) (await scheduler.acquire(slot(0, 'one'), never))();
  const last = await scheduler.acquire(slot(0, 'one'), never);
  const order: string[] = [];
  const taken = ['two', 'one', 'two'].map((accountId, dueMs) =>
    take(scheduler, slot(dueMs, accountId), () => order.push(accountId)),
  );
  running();
  await Promise.all(taken);
  expect(order).toEqual(['two', 'one', 'two']);
  last();
});

test('a call that is aborted while it waits takes no slot', async () => {
  const scheduler = new FairScheduler(1);
  const first = await scheduler.acquire(slot(0), never);
  const aborting = new AbortController();
  const aborted = scheduler.acquire(slot(1), aborting.signal);
  const stayed = scheduler.acquire(slot(2), never);
  aborting.abort(CLIENT_DISCONNECTED);
  await expect(aborted).rejects.toBe(CLIENT_DISCONNECTED);
  first();
  (await stayed)();
  (await scheduler.acquire(slot(3), never))();
  await expect(scheduler.acquire(slot(4), AbortSignal.abort(CLIENT_DISCONNECTED))).rejects.toBe(CLIENT_DISCONNECTED);
  (await scheduler.acquire(slot(5), never))();
});
