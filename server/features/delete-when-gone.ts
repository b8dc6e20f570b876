import { UNCERTAIN_FOR_MS, UncertainCommit } from '@jyutsing/contracts/errors';

const LOOK_EVERY_MS = 1_000;
/** A database that is away for longer is no reason to look on; housekeeping deletes the files. */
const GIVE_UP_AFTER_MS = 60 * 60_000;

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
  const startedMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedMs;
    const answer = await isGone().catch(() => null);
    if (answer === true) return deleteFiles().catch(() => {});
    const isCertain = answer !== null && waitedMs >= UNCERTAIN_FOR_MS;
    if (isCertain || waitedMs >= GIVE_UP_AFTER_MS) return;
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS).unref());
  }
}
