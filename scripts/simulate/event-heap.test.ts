import { expect, it } from 'vitest';
import { createEventHeap } from './event-heap.ts';
import { createRandom } from '#packages/numeric/random.ts';

it('gives events by their time, whatever order they were added in', () => {
  const random = createRandom(1);
  const heap = createEventHeap<number>();
  const times = Array.from({ length: 1_000 }, () => Math.floor(random() * 200));
  for (const atS of times) heap.add(atS, atS);
  const taken = times.map(() => heap.take());
  expect(taken).toEqual(times.toSorted((a, b) => a - b));
  expect(heap.nextS()).toBe(Infinity);
});

it('gives events of one time in the order in which they were added', () => {
  const heap = createEventHeap<string>();
  for (const name of ['a', 'b', 'c', 'd', 'e']) heap.add(1, name);
  heap.add(0, 'first');
  expect(Array.from({ length: 6 }, () => heap.take()).join('')).toBe('firstabcde');
});
