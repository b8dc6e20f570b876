import { open } from 'node:fs/promises';

/** Puts what has been written to the write-ahead log on disk. */
export type SqliteSync = {
  /**
   * Ends when all that was written before the call is on disk. Calls during a sync share the next
   * one. Throws the error of the file system.
   */
  toDisk(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Syncs the log without blocking the event loop, as SQLite's own sync would do at each commit. The
 * log must exist and keep its file. `checkpoint` moves the log into the database with syncs of its
 * own; false: it could not. After a failed sync the system may have dropped pages without writing
 * them, and a later success says nothing of those, so a checkpoint must succeed first.
 */
export async function openSqliteSync(logPath: string, checkpoint: () => boolean): Promise<SqliteSync> {
  const log = await open(logPath, 'r+');
  let failure: unknown = null;
  const toDisk = shareRuns(async () => {
    if (failure === null)
      failure = await log.datasync().then(
        () => null,
        (error: unknown) => error,
      );
    if (failure === null) return;
    if (!checkpoint()) throw failure;
    failure = null;
  });
  return { toDisk, close: () => log.close() };
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
