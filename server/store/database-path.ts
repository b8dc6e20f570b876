import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The SQLite database of a data folder, existing or not. Behind a symbolic link it is the file
 * itself: SQLite puts its log beside that one.
 */
export function databasePathIn(dataDir: string): string {
  const path = join(dataDir, 'jyutsing.db');
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
