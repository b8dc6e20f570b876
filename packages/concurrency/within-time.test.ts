import { afterEach, expect, it, vi } from 'vitest';
import { withinTime } from './within-time.ts';

afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});

it('gives the outcome of work that ends in time, and leaves no timer', async () => {
  vi.useFakeTimers();
  const late = vi.fn(() => 'late');
  expect(await withinTime(Promise.resolve('done'), 1_000, late)).toBe('done');
  await expect(withinTime(Promise.reject(new RangeError('broken')), 1_000, late)).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
  expect(late).not.toHaveBeenCalled();
});

it('gives what `late` gives or throws when the time is up', async () => {
  expect(await withinTime(never, 0, () => 'late')).toBe('late');
  const failed = withinTime(never, 0, () => {
    throw new RangeError('too late');
  });
  await expect(failed).rejects.toThrow('too late');
});

it('prefers an outcome that arrives while `late` decides', async () => {
  const work = Promise.withResolvers<string>();
  const outcome = withinTime(work.promise, 0, async () => {
    work.resolve('done');
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return 'late';
  });
  expect(await outcome).toBe('done');
});

it('ignores a failure after the time', async () => {
  const work = Promise.withResolvers<string>();
  expect(await withinTime(work.promise, 0, () => null)).toBeNull();
  // An unhandled rejection would fail the run.
  work.reject(new RangeError('nothing waits for it'));
  await new Promise<void>((resolve) => void setImmediate(resolve));
});
