import { existsSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '#config/config.ts';
import { closeDataDir } from './private-files.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
};

/**
 * Creates DATA_DIR unless it exists, makes it readable by this user only, and checks that it is a
 * folder that can be written. Throws ConfigError with the path and the reason.
 */
export async function prepareDataDir(path: string): Promise<void> {
  try {
    await makeFolders(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    closeDataDir(path);
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'the folder cannot be created';
    throw new ConfigError(`DATA_DIR ${path} cannot be used: ${reason}.`, { cause });
  }
}

/** One level after the other: the recursive mkdir of Node.js never returns for paths in /proc. */
async function makeFolders(path: string): Promise<void> {
  if (!existsSync(path)) {
    await makeFolders(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  if (!(await stat(path)).isDirectory()) throw Object.assign(new TypeError('not a folder'), { code: 'ENOTDIR' });
}
