import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileRefusal } from './file-refusal.ts';

/**
 * Makes the folder that files will be written to, unless it is there, so that a wrong `--out` is
 * refused before any work. Throws `invalid_parameter` when it cannot be made or written.
 */
export async function prepareFolder(path: string): Promise<void> {
  const probe = join(path, `.${randomUUID()}.part`);
  try {
    await makeFolders(path);
    await writeFile(probe, '');
  } catch (failure) {
    throw fileRefusal(path, 'written', failure);
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

/** The same for a file, in place of which there must be no folder. */
export async function prepareFile(path: string): Promise<void> {
  await prepareFolder(dirname(path));
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) throw fileRefusal(path, 'written', new Error('EISDIR: it is a folder,'));
}

/** One level after the other: the recursive mkdir of Node.js never returns for paths in /proc. */
async function makeFolders(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolders(dirname(path));
  await mkdir(path).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EEXIST') throw failure;
  });
}
