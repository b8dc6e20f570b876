import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

it('results keep the order of the items, however long their work takes', async () => {
  const results = await inParallel([3, 1, 2, 0], 2, async (turns, index) => {
    await waitTurns(turns);
    return `${index}: ${turns}`;
  });
  expect(results).toEqual(['0: 3', '1: 1', '2: 2', '3: 0']);
});

it('at most as many run at a time as the limit says, and all of them run', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('a failure is thrown, and no further item starts', async () => {
  const started: number[] = [];
  const running = inParallel([1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    await nextTurn();
    if (item === 1) throw new Error('broken');
    await nextTurn();
  });
  await expect(running).rejects.toThrow('broken');
  await waitTurns(5);
  expect(started).toEqual([1, 2]);
});

it('no items give no results', async () => {
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
});
