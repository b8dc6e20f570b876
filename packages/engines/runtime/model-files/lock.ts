import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 250;

/**
 * Runs `use` while no other process does so with the same file; others wait and are told once through `onWaiting`.
 *
 * Node has no file locks of its own, and lock files with a process number in them survive a killed process. SQLite locks with the
 * operating system's own means on every platform, and the system frees such a lock whenever its process ends, however it ends.
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
    for (let told = false; !tryExclusive(database); told = true) {
      if (!told) options.onWaiting();
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
