import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 250;

/**
 * Runs `use` with an exclusive lock between processes; calls `onWaiting` once when it has to wait.
 *
 * Node has no file locks, and lock files with a process id survive a killed process. SQLite uses
 * the locks of the operating system, which are released whenever the process ends.
 */
export async function withLock<T>(
  path: string,
  options: { signal: AbortSignal; onWaiting(): void },
  use: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(path, { timeout: 0 });
  try {
    for (let isWaiting = false; !tryExclusive(database); isWaiting = true) {
      if (!isWaiting) options.onWaiting();
      await sleep(RETRY_MS, undefined, { signal: options.signal });
    }
    return await use();
  } finally {
    database.close();
  }
}

function tryExclusive(database: { exec(statement: string): unknown }): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')) return false;
    throw thrown;
  }
}
