import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isGone, isHere, thisProcess } from '@jyutsing/system/process-host';
import { replaceFile } from '@jyutsing/system/replace-file';
import { ConfigError, type Config } from '#config/config.ts';
import { databasePathIn } from './database-path.ts';

/** The note beside a SQLite database that was moved, as the database itself is not changed. */
export const noteOfMove = (databasePath: string): string => `${databasePath}.moved`;
const noteIn = (dataDir: string) => noteOfMove(databasePathIn(dataDir));

/** Beginning of the note of a move that is done; that of another may be done or not. */
const DONE = 'Moved to PostgreSQL';
const BEGUN = 'A move to PostgreSQL is saving its last step, or was interrupted meanwhile';

/** Which process saves the last step: its number, and where it runs. */
const MOVER = /^It runs as process (\d+) of (.+)$/m;

const lookWhether = (dataDir: string) =>
  `Look with \`DATABASE_URL=… jyutsing accounts list\` whether the new database has the accounts: if it has, set DATABASE_URL; if not, delete ${noteIn(dataDir)} and move again.`;

/** The advice for a move of which it is unknown whether it was completed. */
export const unknownMove = (dataDir: string): string =>
  `A move to PostgreSQL was interrupted while it saved its last step. ${lookWhether(dataDir)}`;

/**
 * Notes that the SQLite database is about to be moved by this process, or was; from then on
 * `SqliteFiles` refuses every use of it. The note survives a power failure. Throws what the file
 * system does, and leaves no part of a note then.
 */
export async function noteMove(dataDir: string, state: 'begun' | 'done'): Promise<void> {
  const { host, pid } = thisProcess();
  const date = new Date().toISOString();
  const text =
    state === 'done'
      ? `${DONE} (${date}). Delete this file to use jyutsing.db again.\n`
      : `${BEGUN} (${date}).\nIt runs as process ${pid} of ${host}\n`;
  // The move may run as another user than the service, which must be able to read it.
  await replaceFile(noteIn(dataDir), text, { mode: 0o644, flush: true });
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

/** Throws ConfigError for a SQLite database that was moved, or is being moved: its state is old. */
export function refuseMoved({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  const note = noteIn(dataDir);
  if (databaseUrl !== null || !existsSync(note)) return;
  const text = readNote(note);
  if (!text.startsWith(DONE)) throw new ConfigError(describeBegun(dataDir, text));
  throw new ConfigError(
    `The database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL, or delete ${note} to go on with the state before the move.`,
  );
}

/** A move that had not ended when its note was read: it runs, or was interrupted. */
function describeBegun(dataDir: string, note: string): string {
  const [, pid, host] = MOVER.exec(note) ?? [];
  // An earlier version did not write its process into the note.
  if (pid === undefined || host === undefined) return unknownMove(dataDir);
  const mover = { host, pid: Number(pid) };
  if (!isHere(mover)) {
    return `A move to PostgreSQL is saving its last step on another machine or in another container, or was interrupted meanwhile. Wait until that command has ended. If it was interrupted: ${lookWhether(dataDir)}`;
  }
  const writtenMs = statSync(noteIn(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (isGone(mover, Date.now() - writtenMs)) return unknownMove(dataDir);
  return `The database in DATA_DIR is being moved to PostgreSQL by the process ${pid}, which is saving its last step; wait for its end, then set DATABASE_URL.`;
}
