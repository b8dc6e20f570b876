import { expect, it } from 'vitest';
import { memoizeAsync } from './memoize-async.ts';

it('simultaneous and later calls share one value of their key', async () => {
  const kept = new Map<string, Promise<object>>();
  let made = 0;
  const make = () => {
    made += 1;
    return Promise.resolve({ made });
  };
  const [first, second] = await Promise.all([memoizeAsync(kept, 'a', make), memoizeAsync(kept, 'a', make)]);
  expect(second).toBe(first);
  expect(await memoizeAsync(kept, 'a', make)).toBe(first);
  expect(await memoizeAsync(kept, 'b', make)).not.toBe(first);
  expect(made).toBe(2);
});

it('a failure reaches everyone who waited, and the next call tries again', async () => {
  const kept = new Map<string, Promise<string>>();
  const attempts = [Promise.reject(new Error('the model is damaged')), Promise.resolve('repaired')];
  const make = () => attempts.shift()!;
  const both = [memoizeAsync(kept, 'model', make), memoizeAsync(kept, 'model', make)];
  for (const attempt of both) await expect(attempt).rejects.toThrow('damaged');
  expect(await memoizeAsync(kept, 'model', make)).toBe('repaired');
});

it('a failure does not forget the value that was made meanwhile', async () => {
  const kept = new Map<string, Promise<string>>();
  const { promise, reject } = Promise.withResolvers<string>();
  const failing = memoizeAsync(kept, 'model', () => promise);
  kept.delete('model');
  const next = memoizeAsync(kept, 'model', async () => 'opened again');
  reject(new Error('the first one failed late'));
  await expect(failing).rejects.toThrow('failed late');
  expect(kept.get('model')).toBe(next);
});
