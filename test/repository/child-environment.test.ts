import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const STARTS = /\b(?:fork|spawn|spawnSync|exec|execSync|execFile|execFileSync)\(([^;]*?)\);/gs;

it('every process that the service starts is given its environment by name', () => {
  const files = globSync('{server,packages}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !/node_modules|\.test\.ts$|^packages\/client\//.test(file),
  );
  const starts = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('node:child_process') ? startsOf(file) : [],
  );
  expect(starts.length).toBeGreaterThan(2);
  // Without one, Node.js gives it all variables, keys and passwords among them.
  expect(starts.filter(({ call }) => !/\benv\b/.test(call))).toEqual([]);
});

function startsOf(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
  return [...text.matchAll(STARTS)].map(([call]) => ({ file, call }));
}
