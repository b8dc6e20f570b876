import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisProcess } from '@jyutsing/system/process-host';
import { ProcessFile, readProcessFile, writeProcessFile } from './process-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-process-'));
  path = join(folder, 'process');
});
afterEach(() => rm(folder, { recursive: true }));

const read = () => readProcessFile(path, ProcessFile);

test('the file of a process that lives is for its user only, and says so', async () => {
  await writeProcessFile(path, { more: 1 });
  expect(await read()).toEqual({ ...thisProcess(), hasEnded: false });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['process']);
});

test('a process has ended when another program has its pid, and is not known elsewhere', async () => {
  await writeProcessFile(path);
  await utimes(path, new Date(), new Date(Date.now() - 24 * 3_600_000));
  expect(await read()).toMatchObject({ hasEnded: true });
  await writeFile(path, JSON.stringify({ ...thisProcess(), host: 'elsewhere' }));
  expect(await read()).toMatchObject({ hasEnded: null });
});

test('a file of another content is none, and neither is a pipe', async () => {
  expect(await read()).toBeNull();
  for (const content of ['', 'null', '{"host":', '{"host":"here"}', '{"host":"here","pid":"1"}']) {
    await writeFile(path, content);
    expect([content, await read()]).toEqual([content, null]);
  }
  await rm(path);
  execFileSync('mkfifo', [path]);
  expect(await read()).toBeNull();
});
