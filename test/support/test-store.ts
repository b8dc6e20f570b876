import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';

/** `close` deletes the database and the folder. */
export type TestStore = { store: Store; databaseUrl: string | null; dataDir: string; close(): Promise<void> };

/** Opens a store with a new database and a data folder of its own. Absent: SQLite. */
export async function openTestStore(database?: TestedDatabase): Promise<TestStore> {
  const opened = await database?.open();
  const databaseUrl = opened?.databaseUrl ?? null;
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-store-'));
  const store = await openStore({ databaseUrl, dataDir });
  return {
    store,
    databaseUrl,
    dataDir,
    async close() {
      await store.close();
      await opened?.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
