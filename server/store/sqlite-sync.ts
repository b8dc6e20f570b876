import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { outageError, uncertainCommit } from './database-errors.ts';

/**
 * A sync that takes longer is reported, and no write begins until it has ended. A disk that slept
 * needs seconds to start.
 */
const SLOW_AFTER_MS = 10_000;
const RETRY_AFTER_MS = 100;

/** Puts what has been written to the write-ahead log on disk. */
export type SqliteSync = {
  /**
   * Ends when all that was written before the call is on disk. Calls during a sync share the next
   * one. Waits for a disk that fails: what was written is committed, so an error would be taken for
   * a write that did not happen. Throws `service_unavailable` only when it is closed meanwhile.
   */
  toDisk(): Promise<void>;
  /** Throws `service_unavailable` while a sync fails or takes very long. */
  assertWorking(): void;
  close(): Promise<void>;
};

/**
 * Syncs the log without blocking the event loop, as SQLite's own sync would do at each commit. The
 * log must exist and keep its file. `checkpoint` moves the log into the database with syncs of its
 * own; false: it could not. After a failed sync the system may have dropped pages without writing
 * them, and a later success says nothing of those, so a checkpoint must succeed instead.
 */
export async function openSqliteSync(logPath: string, checkpoint: () => boolean): Promise<SqliteSync> {
  const log = await open(logPath, 'r+');
  let startedMs: number | null = null;
  let failure: unknown = null;
  let isClosed = false;
  const toDisk = shareRuns(async () => {
    startedMs = performance.now();
    try {
      await log.datasync();
    } catch (error) {
      failure = error;
      for (; !checkpoint(); await sleep(RETRY_AFTER_MS)) if (isClosed) throw uncertainCommit('unwritable', error);
      failure = null;
    }
    startedMs = null;
  });
  return {
    toDisk,
    assertWorking() {
      const isSlow = startedMs !== null && performance.now() - startedMs > SLOW_AFTER_MS;
      if (failure !== null || isSlow) throw outageError('unwritable', failure);
    },
    async close() {
      isClosed = true;
      await log.close();
    },
  };
}

/**
 * Joins calls: each gets a run that starts after the call. At most one runs and one waits, which
 * starts when the running one has ended.
 */
export function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return () => {
    waiting ??= running.then(() => {
      waiting = null;
      const started = run();
      running = started.catch(() => {});
      return started;
    });
    return waiting;
  };
}
