import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteUnfinished, replaceFile } from './replace-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replace-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a replaced file', () => {
  it('holds the new content alone', async () => {
    const path = join(folder, 'report.json');
    await replaceFile(path, 'a long first content');
    await replaceFile(path, new TextEncoder().encode('second'));
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  it('stays whole for a reader that had opened it before', async () => {
    const path = join(folder, 'report.json');
    await replaceFile(path, 'opened');
    await using reader = await open(path);
    await replaceFile(path, 'new');
    expect(await reader.readFile('utf8')).toBe('opened');
  });

  it('is that of one writer when many write at once', async () => {
    const path = join(folder, 'report.json');
    const contents = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(300_000));
    await Promise.all(contents.map((content) => replaceFile(path, content)));
    expect(contents).toContain(await readFile(path, 'utf8'));
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  it('leaves nothing beside it when it cannot be written', async () => {
    await mkdir(join(folder, 'in-the-way', 'inner'), { recursive: true });
    await expect(replaceFile(join(folder, 'in-the-way'), 'x')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    await expect(replaceFile(join(folder, 'no-such-folder', 'file'), 'x')).rejects.toThrow('ENOENT');
    expect((await readdir(folder)).sort()).toEqual(['in-the-way', 'report.json']);
  });
});

it('a file that is written as a new one leaves one that is there', async () => {
  const path = join(folder, 'note');
  await replaceFile(path, 'first', { isNew: true, flush: true });
  await replaceFile(path, 'second', { isNew: true, flush: true });
  expect(await readFile(path, 'utf8')).toBe('first');
});

it('files that killed processes left unfinished are deleted after a day, and no others', async () => {
  const unfinishedFolder = join(folder, 'unfinished');
  await mkdir(unfinishedFolder);
  const name = 'note.0b0f5f1e-2c67-4a6e-9d0b-6a1c2d3e4f50.part';
  const left = ['old', 'young', 'a.part', name, `old-${name}`, `old-${name}ial`];
  for (const fileName of left) await writeFile(join(unfinishedFolder, fileName), 'x');
  await mkdir(join(unfinishedFolder, `old-folder-${name}`));
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  for (const leftName of await readdir(unfinishedFolder))
    if (leftName !== name) await utimes(join(unfinishedFolder, leftName), twoDaysAgo, twoDaysAgo);
  await deleteUnfinished(unfinishedFolder);
  expect((await readdir(unfinishedFolder)).toSorted()).toEqual(
    ['a.part', name, 'old', `old-folder-${name}`, 'young'].toSorted(),
  );
  await deleteUnfinished(join(folder, 'no-such-folder'));
});
