import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const packages = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })];

// npm runs the scripts of a package in its folder.
test.each(packages)('the scripts of %s name files that exist', (path) => {
  const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { scripts?: Record<string, string> };
  const named = Object.values(scripts).flatMap((script) => script.match(/\S+\.(?:js|ts|sh|py)(?= |$)/g) ?? []);
  expect(named.filter((file) => !existsSync(resolve(ROOT, dirname(path), file)))).toEqual([]);
});
