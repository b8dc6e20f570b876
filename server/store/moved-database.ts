import { existsSync, readFileSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, type Config } from '#config/config.ts';
import { databasePathIn } from './database-path.ts';

/** The note beside a SQLite database that was moved, as the database itself is not changed. */
export const noteOfMove = (databasePath: string): string => `${databasePath}.moved`;
const noteIn = (dataDir: string) => noteOfMove(databasePathIn(dataDir));

/** Beginning of the note of a move that is done; that of another may be done or not. */
const DONE = 'Moved to PostgreSQL';
const BEGUN = 'A move to PostgreSQL is saving its last step, or was interrupted meanwhile';

/** What to do when it is unknown whether a move was done. */
export const unknownMove = (dataDir: string): string =>
  `A move to PostgreSQL was interrupted while it saved its last step. Look with \`DATABASE_URL=… jyutsing accounts list\` whether the new database has the accounts: if it has, set DATABASE_URL; if not, delete ${noteIn(dataDir)} and move again.`;

/**
 * Notes that the SQLite database is about to be moved, or was; from then on `SqliteFiles` refuses
 * every use of it. The note survives a power failure. Throws what the file system does.
 */
export async function noteMove(dataDir: string, state: 'begun' | 'done'): Promise<void> {
  const what = `${state === 'done' ? DONE : BEGUN} (${new Date().toISOString()}).`;
  await writeFile(noteIn(dataDir), `${what} Delete this file to use jyutsing.db again.\n`, {
    // The move may run as another user than the service, which must be able to read it.
    mode: 0o644,
    flush: true,
  });
  const folder = await open(dirname(noteIn(dataDir)), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Takes the note back, after a move that failed. */
export async function unmarkMoved(dataDir: string): Promise<void> {
  await rm(noteIn(dataDir), { force: true });
}

function readNote(note: string): string {
  try {
    return readFileSync(note, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(
      `A move to PostgreSQL was begun or done: set DATABASE_URL. Its note ${note} cannot be read (${reason}).`,
    );
  }
}

/** Throws ConfigError for a SQLite database that was moved: its state is old. */
export function refuseMoved({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  const note = noteIn(dataDir);
  if (databaseUrl !== null || !existsSync(note)) return;
  if (!readNote(note).startsWith(DONE)) throw new ConfigError(unknownMove(dataDir));
  throw new ConfigError(
    `The database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL, or delete ${note} to go on with the state before the move.`,
  );
}
