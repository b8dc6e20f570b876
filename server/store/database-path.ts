import { closeSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#config/config.ts';

const linkIn = (dataDir: string) => join(dataDir, 'jyutsing.db');

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is a link into a folder that does not exist',
  ELOOP: 'it is a link to itself',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read and write it',
  ENOSPC: 'the disk is full',
};

/**
 * The SQLite database of a data folder, existing or not. Behind a symbolic link it is the file
 * itself: SQLite puts its log beside that one.
 */
export function databasePathIn(dataDir: string): string {
  try {
    return realpathSync(linkIn(dataDir));
  } catch {
    return linkIn(dataDir);
  }
}

/**
 * The same, and an empty file if there was none, also where a link leads. Throws ConfigError with
 * the reason.
 */
export function makeDatabaseIn(dataDir: string): string {
  try {
    closeSync(openSync(linkIn(dataDir), 'a', 0o600));
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`The database ${linkIn(dataDir)} cannot be opened: ${REASONS[code] ?? code}.`, { cause });
  }
  return databasePathIn(dataDir);
}
