import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const quiet = { signal: never, onWaiting: () => undefined };
const pathOf = (name: string) => join(folder, 'locks', `${name}.lock`);

test('two users of one lock take turns, and the second says that it waits', async () => {
  const events: string[] = [];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
  const first = withLock(pathOf('a'), quiet, async () => {
    events.push('first begins');
    await mayEnd;
    events.push('first ends');
  });
  await expect.poll(() => events.length).toBe(1);
  const second = withLock(pathOf('a'), { signal: never, onWaiting: waits }, async () => void events.push('second'));
  await isWaiting;
  end();
  await Promise.all([first, second]);
  expect(events).toEqual(['first begins', 'first ends', 'second']);
});

test('different locks do not wait for each other', async () => {
  const result = await withLock(pathOf('a'), quiet, () => withLock(pathOf('b'), quiet, async () => 'both'));
  expect(result).toBe('both');
});

test('a failure releases the lock', async () => {
  await expect(
    withLock(pathOf('a'), quiet, async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(await withLock(pathOf('a'), quiet, async () => 'free')).toBe('free');
});

test('waiting ends with an abort, and the lock stays with its owner', async () => {
  const controller = new AbortController();
  await withLock(pathOf('a'), quiet, async () => {
    const waiting = withLock(
      pathOf('a'),
      { signal: controller.signal, onWaiting: () => controller.abort() },
      async () => 'used',
    );
    await expect(waiting).rejects.toThrow(/abort/i);
  });
  expect(await withLock(pathOf('a'), quiet, async () => 'free')).toBe('free');
});
