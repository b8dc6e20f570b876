import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Options = {
  /** Permissions. */
  mode?: number;
  /** The file survives a power failure. */
  flush?: boolean;
  /** A file that exists already stays as it is. */
  isNew?: boolean;
};

/**
 * Matches the names of unfinished files; earlier versions of the service ended them in `.partial`.
 */
const UNFINISHED = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part(?:ial)?$/;
const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Errors of file systems without hard links. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Writes a whole file or leaves the one that was there: no reader, and no later run after an
 * interruption, finds a part of it. Of simultaneous calls the last one wins.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o666, flush = false, isNew = false }: Options = {},
): Promise<void> {
  const unfinished = unfinishedPathOf(path);
  try {
    await writeFile(unfinished, content, { mode, flush });
    await (isNew ? giveFreeName(unfinished, path) : rename(unfinished, path));
  } finally {
    await rm(unfinished, { force: true });
  }
  // The name is stored in the folder, which must be synced separately.
  if (flush) await syncToDisk(dirname(path));
}

/** The path of a file until it is complete and gets its name; different at each call. */
export const unfinishedPathOf = (path: string): string => `${path}.${randomUUID()}.part`;

/**
 * Deletes the unfinished files of a folder whose writers were killed. Those of the last day may
 * belong to living ones, and those that may not be deleted stay.
 */
export async function deleteUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name))) {
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() !== true || found.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue;
    await rm(path, { force: true }).catch(() => {});
  }
}

/** Waits until the content of a file, or the names in a folder, survive a power failure. */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function giveFreeName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') return;
    // Some network file systems have no links.
    if (!NO_LINKS.includes(code) || existsSync(path)) throw error;
    await rename(unfinished, path);
  }
}
