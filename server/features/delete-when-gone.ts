import { setTimeout as sleep } from 'node:timers/promises';

/** PostgreSQL may still do a COMMIT that was sent before the connection was lost, for 30 s. */
const LATE_COMMIT_MS = 40_000;
const LOOK_EVERY_MS = 1_000;

/**
 * After a deletion of which it is unknown whether it was done: deletes the files once the thing is
 * known to be gone. Housekeeping deletes them later if this process ends meanwhile.
 */
export async function deleteWhenGone(isGone: () => Promise<boolean>, deleteFiles: () => Promise<void>): Promise<void> {
  const untilMs = performance.now() + LATE_COMMIT_MS;
  while (performance.now() < untilMs) {
    if (await isGone().catch(() => false)) return deleteFiles().catch(() => {});
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
  }
}
