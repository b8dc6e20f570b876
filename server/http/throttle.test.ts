import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

/** Takes at the given times; returns how many milliseconds each one waits. */
async function waits(takes: [atMs: number, bytes: number][]): Promise<number[]> {
  let now = 0;
  const throttle = createThrottle({ bytesPerSecond: 1_000, burstBytes: 20, nowMs: () => now });
  const taken: Promise<number>[] = [];
  for (const [atMs, bytes] of takes) {
    now = atMs;
    const before = performance.now();
    const wait = throttle.take(bytes);
    taken.push(wait === null ? Promise.resolve(0) : wait.then(() => performance.now() - before));
  }
  return Promise.all(taken);
}

test('a burst passes at once, what exceeds it waits for its share', async () => {
  const [first, second, third] = await waits([
    [0, 10],
    [0, 10],
    [0, 30],
  ]);
  expect([first, second]).toEqual([0, 0]);
  // Timers may be early by a fraction of a millisecond.
  expect(third).toBeGreaterThanOrEqual(29);
});

test('everybody waits behind those who came before', async () => {
  const [, second, third] = await waits([
    [0, 20],
    [0, 20],
    [0, 20],
  ]);
  expect(second).toBeGreaterThanOrEqual(19);
  expect(third).toBeGreaterThanOrEqual(39);
});

test('idle time is credited up to the burst and no further', async () => {
  const [, second, third, fourth] = await waits([
    [0, 20],
    [20, 20],
    [10_000, 20],
    [10_000, 20],
  ]);
  expect([second, third]).toEqual([0, 0]);
  expect(fourth).toBeGreaterThanOrEqual(19);
});
