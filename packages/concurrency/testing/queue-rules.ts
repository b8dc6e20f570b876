import { expect, it } from 'vitest';

/** The part of a channel that every queue with one kind of item has. */
export type Queue = AsyncIterable<number> & {
  push(item: number): void;
  close(): void;
  fail(reason: unknown): void;
};

/** Reads a queue to its end; a failure is returned beside the items before it. */
export async function readAll(items: AsyncIterable<number>): Promise<{ read: number[]; failure: unknown }> {
  const read: number[] = [];
  try {
    for await (const item of items) read.push(item);
  } catch (failure) {
    return { read, failure };
  }
  return { read, failure: null };
}

/** Tests the rules of a queue between writers that never wait and its readers. */
export function testQueue(create: () => Queue): void {
  it('gives the items in order, those before the reader waits and those after', async () => {
    const queue = create();
    queue.push(1);
    queue.push(2);
    const reading = readAll(queue);
    await Promise.resolve();
    queue.push(3);
    queue.close();
    expect(await reading).toEqual({ read: [1, 2, 3], failure: null });
  });

  it('gives items that are pushed while earlier ones are handled', async () => {
    const queue = create();
    queue.push(0);
    const read: number[] = [];
    for await (const item of queue) {
      read.push(item);
      if (item === 3) queue.close();
      else queue.push(item + 1);
    }
    expect(read).toEqual([0, 1, 2, 3]);
  });

  it('ends after the items before its close, and takes nothing after it', async () => {
    const queue = create();
    queue.push(1);
    queue.close();
    queue.push(2);
    queue.fail('too late');
    expect(await readAll(queue)).toEqual({ read: [1], failure: null });
  });

  it('throws its failure after the items before it, and takes nothing after it', async () => {
    const queue = create();
    queue.push(1);
    queue.fail('broken');
    queue.push(2);
    queue.close();
    expect(await readAll(queue)).toEqual({ read: [1], failure: 'broken' });
  });

  it('wakes a waiting reader with its close', async () => {
    const queue = create();
    const reading = readAll(queue);
    await Promise.resolve();
    queue.close();
    expect(await reading).toEqual({ read: [], failure: null });
  });

  it('wakes a waiting reader with its failure, also when the reason is undefined', async () => {
    const queue = create();
    const reading = readAll(queue);
    await Promise.resolve();
    queue.fail(undefined);
    expect(await reading).toEqual({ read: [], failure: undefined });
  });

  it('gives an item to one of two waiting readers, and ends both', async () => {
    const queue = create();
    const reading = [readAll(queue), readAll(queue)];
    await Promise.resolve();
    for (const item of [1, 2, 3, 4]) queue.push(item);
    queue.close();
    const [first, second] = await Promise.all(reading);
    expect([...first!.read, ...second!.read].toSorted()).toEqual([1, 2, 3, 4]);
  });
}
