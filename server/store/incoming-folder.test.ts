import { lutimes, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeIncomingFolder, openIncomingFolder } from './incoming-folder.ts';
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
  const [living, dead, ownFolder] = ['living', 'dead', store.processId].map((id) => `${store.databaseId}.${id}`);
  for (const name of [living!, dead!]) {
    await mkdir(join(parent, name), { recursive: true });
    await writeFile(join(parent, name, 'upload'), 'x');
  }
  await writeFile(join(dataDir, 'keep'), '');
  await openIncomingFolder(dataDir, store).tidy();
  expect((await readdir(parent)).sort()).toEqual([living, ownFolder].sort());
  expect(await readdir(join(parent, living!))).toEqual(['upload']);
  expect(await readdir(dataDir)).toContain('keep');
});

it('leaves the folders of another database alone, until nothing in them was changed for a day', async () => {
  const [{ dataDir, store, parent }, other] = [await openTestStore(), await openTestStore()];
  const { path } = openIncomingFolder(dataDir, other.store);
  await makeIncomingFolder(path);
  const upload = join(path, 'upload');
  await writeFile(upload, 'x');
  const { tidy } = openIncomingFolder(dataDir, store);
  const [now, old] = [new Date(), new Date(Date.now() - 25 * 3_600_000)];
  for (const [ofFolder, ofUpload] of [
    [now, now],
    [old, now],
    [now, old],
  ] as const) {
    await utimes(upload, now, ofUpload);
    await utimes(path, now, ofFolder);
    await tidy();
    expect(await readdir(path)).toEqual(['upload']);
  }
  await utimes(path, now, old);
  await tidy();
  expect(await readdir(parent)).toEqual([`${store.databaseId}.${store.processId}`]);
});

it('shows other databases that it is in use, and deletes old files and links beside the folders', async () => {
  const [{ dataDir, store, parent }, other] = [await openTestStore(), await openTestStore()];
  const living = openIncomingFolder(dataDir, other.store);
  await living.tidy();
  await mkdir(join(parent, 'dead'));
  await symlink('/nowhere', join(parent, 'dead', 'link'));
  await writeFile(join(parent, 'old'), 'x');
  await writeFile(join(parent, 'young'), 'x');
  const old = new Date(Date.now() - 25 * 3_600_000);
  await lutimes(join(parent, 'dead', 'link'), old, old);
  for (const path of [living.path, join(parent, 'dead'), join(parent, 'old')]) await utimes(path, old, old);
  await living.tidy();
  const { path, tidy } = openIncomingFolder(dataDir, store);
  await tidy();
  expect((await readdir(parent)).sort()).toEqual([basename(living.path), basename(path), 'young'].sort());
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
