import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from '#server/config/config.ts';
import type { Store } from '#server/store/store.ts';

/**
 * Opens the database of the configuration. A missing one is made only with `mayCreate`: with a
 * wrong DATA_DIR every list would be empty otherwise. Throws ConfigError with the path, and for one
 * that was moved.
 */
export async function openConfiguredStore(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { mayCreate = false } = {},
): Promise<Store> {
  // Load on demand: the database is the largest part of a command, and some commands need none.
  const { openStore } = await import('#server/store/open-store.ts');
  const path = join(dataDir, 'jyutsing.db');
  if (databaseUrl === null && !existsSync(path)) {
    if (!mayCreate) {
      throw new ConfigError(
        `This command reads the database of a service, and there is none at ${path}; set DATA_DIR to the folder of the service, or start the service once.`,
      );
    }
    const { prepareDataDir } = await import('#server/store/data-dir.ts');
    await prepareDataDir(dataDir);
    process.stderr.write(`Created a new database at ${path}.\n`);
  }
  return openStore({ databaseUrl, dataDir });
}
