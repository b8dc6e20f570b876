import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';
import { deleteWhenGone } from './delete-when-gone.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A deletion that fails, of something that `isGone` looks for; the files that it left. */
async function failDeletion(
  failure: AppError,
  isGone: () => Promise<boolean>,
): Promise<{ areFilesDeleted(): boolean }> {
  let areDeleted = false;
  const deletion = deleteWhenGone(Promise.reject(failure), isGone, async () => void (areDeleted = true));
  await expect(deletion).rejects.toBe(failure);
  return { areFilesDeleted: () => areDeleted };
}

const uncertain = () => new UncertainCommit('service_unavailable');
const noAnswer = () => Promise.reject(new AppError('service_unavailable'));

it('deletes the files of what is gone although the deletion was not answered', async () => {
  const left = await failDeletion(uncertain(), async () => performance.now() > 10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(left.areFilesDeleted()).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(left.areFilesDeleted()).toBe(true);
});

it('keeps the files of what was not deleted', async () => {
  const isGone = vi.fn(async () => true);
  const left = await failDeletion(new AppError('service_unavailable'), isGone);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect([left.areFilesDeleted(), isGone.mock.calls]).toEqual([false, []]);
});

it('looks until the database answers, however long its outage', async () => {
  let isDown = true;
  const left = await failDeletion(uncertain(), () => (isDown ? noAnswer() : Promise.resolve(true)));
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  isDown = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(left.areFilesDeleted()).toBe(true);
});

it.each([
  ['as soon as an answer is certain', async () => false, 45_000],
  ['after an hour without an answer', noAnswer, HOUR_MS + 5_000],
])('stops to look %s', async (_name, answer, withinMs) => {
  const isGone = vi.fn(answer);
  await failDeletion(uncertain(), isGone);
  await vi.advanceTimersByTimeAsync(withinMs - 10_000);
  const looks = () => isGone.mock.calls.length;
  const before = looks();
  await vi.advanceTimersByTimeAsync(10_000);
  const after = looks();
  expect(after).toBeGreaterThan(before);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(looks()).toBe(after);
});
