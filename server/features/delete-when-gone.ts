import { setTimeout as sleep } from 'node:timers/promises';
import { UNCERTAIN_FOR_MS, UncertainCommit } from '@jyutsing/contracts/errors';

const LOOK_EVERY_MS = 1_000;

/**
 * Awaits a deletion, after which the caller deletes the files. If it is unknown whether it was
 * done, deletes them once the thing is known to be gone. Housekeeping deletes them later if this
 * process ends meanwhile.
 */
export async function deleteWhenGone<Result>(
  deletion: Promise<Result>,
  isGone: () => Promise<boolean>,
  deleteFiles: () => Promise<void>,
): Promise<Result> {
  return deletion.catch((failure: unknown) => {
    if (failure instanceof UncertainCommit) void lookUntilGone(isGone, deleteFiles);
    throw failure;
  });
}

async function lookUntilGone(isGone: () => Promise<boolean>, deleteFiles: () => Promise<void>): Promise<void> {
  const untilMs = performance.now() + UNCERTAIN_FOR_MS;
  while (performance.now() < untilMs) {
    if (await isGone().catch(() => false)) return deleteFiles().catch(() => {});
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
  }
}
