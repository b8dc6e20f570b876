import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SERVICE_FLAGS } from '@jyutsing/system/v8-flags';
import { baseEnvironment, MEMORY_SETTINGS } from '#testbed/service/environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const packages = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })];

// npm runs the scripts of a package in its folder.
test.each(packages)('the scripts of %s name files that exist', (path) => {
  const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { scripts?: Record<string, string> };
  const named = Object.values(scripts).flatMap((script) => script.match(/\S+\.(?:js|ts|sh|py)(?= |$)/g) ?? []);
  expect(named.filter((file) => !existsSync(resolve(ROOT, dirname(path), file)))).toEqual([]);
});

test('services of tests are started with the settings for memory of `npm start`', async () => {
  const print = ['scripts/run.js', '-p', 'JSON.stringify(process.env)'];
  const { stdout } = await promisify(execFile)(process.execPath, print, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
  });
  expect(JSON.parse(stdout)).toMatchObject(MEMORY_SETTINGS);
  expect(baseEnvironment()).toMatchObject(MEMORY_SETTINGS);
});

test('`npm start` and `jyutsing serve` start the service with its flags of V8', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  expect(scripts.start.split(' ').slice(2, -1)).toEqual(SERVICE_FLAGS);
  const command = readFileSync(join(ROOT, 'cli/jyutsing.js'), 'utf8');
  expect(/'serve' \? \[(.*)\] : \[\]/.exec(command)?.[1]).toBe(SERVICE_FLAGS.map((flag) => `'${flag}'`).join(', '));
});
