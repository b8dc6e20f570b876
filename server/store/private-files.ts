import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;
/** The mode bit of folders such as /tmp, which everyone uses and which must stay open. */
const STICKY = 0o1000;
const FOLDERS = ['blobs', 'blobs-temporary', 'incoming'];

/**
 * Takes the permissions of others from DATA_DIR and its folders, which an earlier version gave:
 * they hold recordings, texts and the secrets of webhooks.
 */
export function closeDataDir(dataDir: string): void {
  closeToOthers(dataDir, PRIVATE_DIR);
  for (const folder of FOLDERS) closeToOthers(join(dataDir, folder), PRIVATE_DIR);
}

/**
 * Creates the file of the database for this user only; SQLite gives its permissions to the files
 * beside it. Mends those of an earlier version.
 */
export function prepareDatabaseFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  for (const suffix of ['', '-wal', '-shm']) closeToOthers(path + suffix, PRIVATE_FILE);
}

function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0 || (found.mode & STICKY) !== 0) return;
  // The owner is another user, such as in a mounted volume: only that user can change it.
  if (process.getuid !== undefined && process.getuid() !== 0 && process.getuid() !== found.uid) return;
  chmodSync(path, mode);
}
