import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from '#config/config.ts';

/** A file beside a SQLite database that was moved, as the database itself is not changed. */
const markerOf = (dataDir: string) => join(dataDir, 'jyutsing.db.moved');

/** Notes that the SQLite database was moved to PostgreSQL. Throws what the file system does. */
export async function markMoved(dataDir: string): Promise<void> {
  const content = `Moved to PostgreSQL at ${new Date().toISOString()}. Delete this file to use jyutsing.db again.\n`;
  await writeFile(markerOf(dataDir), content, { mode: 0o600 });
}

/** Takes the note back, after a move that failed. */
export async function unmarkMoved(dataDir: string): Promise<void> {
  await rm(markerOf(dataDir), { force: true });
}

/** Throws ConfigError for a SQLite database that was moved: its state is old. */
export function refuseMoved({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  const marker = markerOf(dataDir);
  if (databaseUrl !== null || !existsSync(marker)) return;
  throw new ConfigError(
    `The database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL, or delete ${marker} to go on with the state before the move.`,
  );
}
