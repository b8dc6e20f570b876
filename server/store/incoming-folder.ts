import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from './store.ts';

/** The folder for uploads of this process, until they are accepted. */
type IncomingFolder = {
  path: string;
  /** Makes it again if it is missing, and deletes the folders of processes without a lease. */
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

/**
 * The folder DATA_DIR/incoming/<process id>. The id is that of the process lease in the database,
 * because containers that share a DATA_DIR have the same process numbers.
 */
export function openIncomingFolder(dataDir: string, store: Pick<Store, 'processId' | 'workers'>): IncomingFolder {
  const parent = join(dataDir, 'incoming');
  const path = join(parent, store.processId);
  return {
    path,
    async tidy() {
      await makeIncomingFolder(path);
      const names = await readdir(parent);
      // Read after the folders: a process makes its folder after it has taken its lease.
      const living = new Set([store.processId, ...(await store.workers.list()).map(({ id }) => id)]);
      for (const name of names) if (!living.has(name)) await rm(join(parent, name), { recursive: true, force: true });
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
