import { expect, test } from 'vitest';
import { HUNG_UP } from '#test/speech-parts.ts';
import { DeadlineScheduler } from './deadline-scheduler.ts';

const never = new AbortController().signal;

test('as many as there are places go at once, the others as their listeners need it', async () => {
  const turns = new DeadlineScheduler();
  const order: string[] = [];
  const first = await turns.take(2, 0, never);
  const second = await turns.take(2, 0, never);
  const waiting = [
    ['late', 900],
    ['soon', 100],
    ['later', 1_000],
    ['now', 5],
  ] as const;
  const taken = waiting.map(async ([name, dueMs]) => {
    const handOn = await turns.take(2, dueMs, never);
    order.push(name);
    await new Promise((resolve) => setTimeout(resolve, 5));
    handOn();
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(order).toEqual([]);
  first();
  await Promise.all(taken);
  expect(order).toEqual(['now', 'soon', 'late', 'later']);
  second();
});

test('those who are due at the same time go in the order of asking', async () => {
  const turns = new DeadlineScheduler();
  const order: number[] = [];
  const first = await turns.take(1, 0, never);
  const taken = Array.from({ length: 5 }, async (_, i) => {
    const handOn = await turns.take(1, 7, never);
    order.push(i);
    handOn();
  });
  first();
  await Promise.all(taken);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('who leaves while waiting leaves no place behind and takes none', async () => {
  const turns = new DeadlineScheduler();
  const first = await turns.take(1, 0, never);
  const leaving = new AbortController();
  const left = turns.take(1, 1, leaving.signal);
  const stayed = turns.take(1, 2, never);
  leaving.abort(HUNG_UP);
  await expect(left).rejects.toBe(HUNG_UP);
  first();
  (await stayed)();
  (await turns.take(1, 3, never))();
  await expect(turns.take(1, 4, AbortSignal.abort(HUNG_UP))).rejects.toBe(HUNG_UP);
  (await turns.take(1, 5, never))();
});
