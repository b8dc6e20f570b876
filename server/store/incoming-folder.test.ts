import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIncomingFolder } from './incoming-folder.ts';
import { openStore } from './open-store.ts';

async function openTestStore() {
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-incoming-'));
  const store = await openStore({ databaseUrl: null, dataDir });
  onTestFinished(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { dataDir, store, parent: join(dataDir, 'incoming') };
}

it('deletes the folders of processes without a lease, and nothing else', async () => {
  const { dataDir, store, parent } = await openTestStore();
  await store.workers.register({ id: 'living', host: 'another container', pid: process.pid });
  for (const name of ['living', 'dead', '4711']) {
    await mkdir(join(parent, name), { recursive: true });
    await writeFile(join(parent, name, 'upload'), 'x');
  }
  await writeFile(join(dataDir, 'keep'), '');
  await openIncomingFolder(dataDir, store).tidy();
  expect((await readdir(parent)).sort()).toEqual(['living', store.processId].sort());
  expect(await readdir(join(parent, 'living'))).toEqual(['upload']);
  expect(await readdir(dataDir)).toContain('keep');
});

it('makes its own folder again, for its user only, and removes it at the end', async () => {
  const { dataDir, store, parent } = await openTestStore();
  const incoming = openIncomingFolder(dataDir, store);
  await incoming.tidy();
  await rm(parent, { recursive: true });
  await incoming.tidy();
  expect((await stat(incoming.path)).mode & 0o777).toBe(0o700);
  await incoming.remove();
  expect(await readdir(parent)).toEqual([]);
});
