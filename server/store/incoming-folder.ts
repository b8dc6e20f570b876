import { lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from './store.ts';

/** The folder for uploads of this process, until they are accepted. */
type IncomingFolder = {
  path: string;
  /**
   * Makes it again if it is missing, and deletes the folders of processes without a lease; those of
   * processes with another database when nothing in them was changed for a day.
   */
  tidy(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Makes the folder unless it exists. Call before writing to it: other processes delete it when this
 * one was taken for dead, for example while suspended.
 */
export async function makeIncomingFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

const LEFT_ALONE: readonly string[] = ['ENOENT', 'EACCES', 'EPERM'];
const ABANDONED_AFTER_MS = 24 * 3_600_000;

/**
 * The folder DATA_DIR/incoming/<database id>.<process id>. The process id is that of the process
 * lease in the database, because containers that share a DATA_DIR have the same process numbers.
 */
export function openIncomingFolder(
  dataDir: string,
  store: Pick<Store, 'databaseId' | 'processId' | 'workers'>,
): IncomingFolder {
  const parent = join(dataDir, 'incoming');
  const nameOf = (id: string) => `${store.databaseId}.${id}`;
  const path = join(parent, nameOf(store.processId));
  return {
    path,
    async tidy() {
      await makeIncomingFolder(path);
      // Processes with another database see only that it is in use.
      await utimes(path, new Date(), new Date());
      const names = await readdir(parent);
      // Read after the folders: a process makes its folder after it has taken its lease.
      const living = new Set([store.processId, ...(await store.workers.list()).map(({ id }) => id)].map(nameOf));
      for (const name of names) {
        const isLeft = name.startsWith(nameOf('')) ? !living.has(name) : await isAbandoned(join(parent, name));
        if (isLeft) await rm(join(parent, name), { recursive: true, force: true });
      }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** Whether a file, or a folder and all that is in it, is older than a day. */
async function isAbandoned(path: string): Promise<boolean> {
  try {
    const folderStat = await lstat(path);
    const names = folderStat.isDirectory() ? await readdir(path) : [];
    const fileStats = await Promise.all(names.map((name) => lstat(join(path, name))));
    return Math.max(...[folderStat, ...fileStats].map(({ mtimeMs }) => mtimeMs)) < Date.now() - ABANDONED_AFTER_MS;
  } catch (error) {
    // It is changed just now, or belongs to another user, and could not be deleted.
    if (error instanceof Error && 'code' in error && LEFT_ALONE.includes(String(error.code))) return false;
    throw error;
  }
}
