import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWeightedSemaphore } from './weighted-semaphore.ts';

const never = new AbortController().signal;

/** Users of a semaphore of 10 that end when the test says so. */
function users() {
  const capacity = createWeightedSemaphore(10);
  const running: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const use = (name: string, amount: number, signal = never) =>
    capacity.use(amount, signal, async () => {
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      running.push(name);
      await end.promise;
      running.splice(running.indexOf(name), 1);
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)!.resolve();
    for (let left = 10; left > 0; left -= 1) await tick();
  };
  return { use, end, running };
}

describe('a weighted semaphore', () => {
  it('never exceeds its total, and small amounts may overtake one that does not fit yet', async () => {
    const { use, end, running } = users();
    const all = [use('a', 6), use('b', 6), use('c', 3), use('d', 3)];
    await tick();
    expect(running).toEqual(['a', 'c']);
    await end('c');
    expect(running).toEqual(['a', 'd']);
    await end('a');
    expect(running).toEqual(['d', 'b']);
    await end('b');
    await end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives everything to a user that asks for more than the total, alone', async () => {
    const { use, end, running } = users();
    const all = [use('huge', 1_000), use('small', 1)];
    await tick();
    expect(running).toEqual(['huge']);
    await end('huge');
    expect(running).toEqual(['small']);
    await end('small');
    await Promise.all(all);
  });

  it('a user that aborts while it waits takes nothing, and one that fails gives back', async () => {
    const { use, end, running } = users();
    const first = use('a', 10);
    const leaving = new AbortController();
    const left = use('b', 10, leaving.signal);
    leaving.abort(new RangeError('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(use('c', 1, AbortSignal.abort(new RangeError('gone before')))).rejects.toThrow('gone before');
    await end('a');
    await first;
    const capacity = createWeightedSemaphore(1);
    await expect(capacity.use(1, never, () => Promise.reject(new RangeError('failed')))).rejects.toThrow('failed');
    expect(await capacity.use(1, never, async () => 'free again')).toBe('free again');
    expect(running).toEqual([]);
  });
});
