import { expect, it } from 'vitest';
import { emittedEvents } from './emitted-events.ts';

it('events come in order while the function runs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = emittedEvents<number>(async (emit) => {
    emit(1);
    emit(2);
    await promise;
    emit(3);
  });
  expect(await events.next()).toEqual({ done: false, value: 1 });
  expect(await events.next()).toEqual({ done: false, value: 2 });
  resolve();
  expect(await events.next()).toEqual({ done: false, value: 3 });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

it('a failure comes after the events before it', async () => {
  const seen: number[] = [];
  const reading = (async () => {
    const events = emittedEvents<number>(async (emit) => {
      emit(1);
      await Promise.resolve();
      emit(2);
      throw new Error('broken');
    });
    for await (const event of events) seen.push(event);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(seen).toEqual([1, 2]);
});

it('a reader that stops early waits until the function has ended', async () => {
  const stopped = new AbortController();
  let hasEnded = false;
  const events = emittedEvents<number>(async (emit) => {
    emit(1);
    await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve));
    hasEnded = true;
  });
  for await (const event of events) {
    expect(event).toBe(1);
    stopped.abort();
    break;
  }
  expect(hasEnded).toBe(true);
});
