import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let emptyFolder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  emptyFolder = join(folder.path, 'elsewhere');
  await mkdir(emptyFolder);
});
afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ['npm link', ['link']],
  ['npm install --global', ['install', '--global', ROOT]],
])('after `%s` the command runs in any folder, with the data of the repository', async (name, args) => {
  const prefix = join(folder.path, name);
  const env = { ...baseEnvironment(), npm_config_prefix: prefix };
  await run('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: ROOT, env });
  const jyutsing = async (...words: string[]) =>
    (await run(join(prefix, 'bin/jyutsing'), words, { cwd: emptyFolder, env: baseEnvironment() })).stdout;
  expect(await jyutsing('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await jyutsing('doctor', '--json').catch(({ stdout }: { stdout: string }) => stdout)).toContain(
    `"detail": "${join(ROOT, 'data')}`,
  );
  expect(await readdir(emptyFolder)).toEqual([]);
});
