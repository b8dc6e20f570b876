import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '#config/config.ts';
import { openStore } from './open-store.ts';

let dataDir: string;
let otherFolder: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-path-'));
  otherFolder = await mkdtemp(join(tmpdir(), 'jyutsing-elsewhere-'));
});
afterEach(() => Promise.all([dataDir, otherFolder].map((folder) => rm(folder, { recursive: true }))));

const open = () => openStore({ databaseUrl: null, dataDir });
const link = (target: string) => symlink(target, join(dataDir, 'jyutsing.db'));

test('a link to a database that does not exist yet makes it there, at the first start', async () => {
  await link(join(otherFolder, 'real.db'));
  for (const name of ['first', 'second']) {
    const store = await open();
    await store.accounts.create({ name, plan: 'free' });
    await store.check();
    await store.close();
  }
  const again = await open();
  expect(await again.accounts.list()).toHaveLength(2);
  await again.close();
  expect([await readdir(dataDir), await readdir(otherFolder)]).toEqual([['jyutsing.db'], ['real.db', 'real.db-spare']]);
});

test.each([
  [
    'a link into a folder that does not exist',
    () => link(join(otherFolder, 'missing/real.db')),
    'into a folder that does',
  ],
  ['a link to itself', () => link(join(dataDir, 'jyutsing.db')), 'it is a link to itself'],
  ['a folder', () => mkdir(join(dataDir, 'jyutsing.db')), 'it is a folder'],
])('%s is refused with a sentence', async (_what, make, reason) => {
  await make();
  const refused = await open().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect((refused as Error).message).toContain(`The database ${join(dataDir, 'jyutsing.db')} cannot be opened: `);
  expect((refused as Error).message).toContain(reason);
});
