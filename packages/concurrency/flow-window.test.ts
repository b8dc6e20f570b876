import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFlowWindow } from './flow-window.ts';

/** Records the names of writers in the order in which they go on. */
function writersOf(window: ReturnType<typeof createFlowWindow>) {
  const done: string[] = [];
  const wait = (name: string, maxAhead?: number) => void window.waitForRoom(maxAhead).then(() => done.push(name));
  return { done, wait };
}

it('a writer waits while more than the capacity is not taken', async () => {
  const window = createFlowWindow(10);
  const { done, wait } = writersOf(window);
  window.add(10);
  wait('at the capacity');
  await nextTurn();
  window.add(1);
  wait('above it');
  await nextTurn();
  expect(done).toEqual(['at the capacity']);
  window.take(1);
  await nextTurn();
  expect(done).toEqual(['at the capacity', 'above it']);
});

it('a writer may wait until everything is taken, while another goes on before', async () => {
  const window = createFlowWindow(2);
  const { done, wait } = writersOf(window);
  window.add(3);
  wait('all', 0);
  wait('room');
  window.take(1);
  await nextTurn();
  expect(done).toEqual(['room']);
  window.take(2);
  await nextTurn();
  expect(done).toEqual(['room', 'all']);
});

it('no writer waits at an open window', async () => {
  const window = createFlowWindow(0);
  const { done, wait } = writersOf(window);
  window.add(5);
  wait('before');
  await nextTurn();
  expect(done).toEqual([]);
  window.open();
  await nextTurn();
  wait('after');
  await nextTurn();
  expect(done).toEqual(['before', 'after']);
});
