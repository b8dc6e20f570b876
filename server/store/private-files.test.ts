import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '#server/config/config.ts';
import { prepareDataDir } from './data-dir.ts';
import { closeDataDir, prepareDatabaseFile } from './private-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;
async function makeFolder(path: string, mode: number): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, mode);
  return path;
}

describe('the folder of the data', () => {
  it.each([
    [0o755, 0o700],
    [0o777, 0o700],
    [0o710, 0o700],
    // Stricter than needed: as it is.
    [0o500, 0o500],
    // Like /tmp, which everybody uses.
    [0o1777, 0o1777],
  ])('of the mode %o becomes %o', async (before, after) => {
    const path = await makeFolder(join(folder, 'data'), before);
    closeDataDir(path);
    expect(await modeOf(path)).toBe(after);
    await chmod(path, 0o700);
  });

  it('is closed with the folders of recordings, and no others', async () => {
    const names = ['blobs', 'blobs-temporary', 'incoming', 'models'];
    for (const name of names) await makeFolder(join(folder, name), 0o755);
    closeDataDir(folder);
    const modes = await Promise.all(names.map((name) => modeOf(join(folder, name))));
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o755]);
  });
});

describe('the file of the database', () => {
  it('is created for this user only', async () => {
    const path = join(folder, 'new.db');
    prepareDatabaseFile(path);
    expect(await modeOf(path)).toBe(0o600);
  });

  it('of an earlier version is closed with those beside it, and keeps its content', async () => {
    const path = join(folder, 'old.db');
    for (const suffix of ['', '-wal', '-shm']) {
      await writeFile(path + suffix, 'content');
      await chmod(path + suffix, 0o644);
    }
    prepareDatabaseFile(path);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(await modeOf(path + suffix)).toBe(0o600);
      expect((await stat(path + suffix)).size).toBe(7);
    }
  });
});

describe('a data folder that is prepared', () => {
  it('is created with the folders above it', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await prepareDataDir(path);
    expect(await modeOf(path)).toBe(0o700);
    await prepareDataDir(path);
  });

  it('may be a link to a folder', async () => {
    await makeFolder(join(folder, 'real'), 0o755);
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await prepareDataDir(join(folder, 'link'));
    expect(await modeOf(join(folder, 'real'))).toBe(0o700);
  });

  it.each([
    ['a file', 'file'],
    ['below a file', 'file/below'],
    ['far below a file', 'file/a/b/c'],
  ])('is refused with the reason when it is %s', async (_name, name) => {
    await writeFile(join(folder, 'file'), '');
    const path = join(folder, name);
    const prepared = prepareDataDir(path);
    await expect(prepared).rejects.toThrow(ConfigError);
    await expect(prepared).rejects.toThrow(`DATA_DIR ${path} cannot be used: a part of the path is not a folder.`);
  });
});
