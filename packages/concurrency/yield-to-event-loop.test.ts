import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Computes for this long in total. */
async function compute(totalMs: number): Promise<void> {
  for (let spentMs = 0; spentMs < totalMs; spentMs += 1) {
    await yieldToEventLoop();
    const startedMs = performance.now();
    while (performance.now() - startedMs < 1);
  }
}

describe('work that yields', () => {
  it('lets the event loop run, however many tasks compute at once', async () => {
    let isOver = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 20 }, () => compute(10)));
    isOver = true;
    // 200 ms of work: with 20 ms for each task, all would be done in one turn.
    expect(turns).toBeGreaterThan(6);
  });

  it('every task finishes, and yielding costs nothing when no task computes', async () => {
    const ended: number[] = [];
    await Promise.all([40, 1, 1].map((ms, index) => compute(ms).then(() => ended.push(index))));
    expect(ended.toSorted()).toEqual([0, 1, 2]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(yieldToEventLoop()).toBeUndefined();
  });
});
