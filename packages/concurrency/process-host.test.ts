import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isGone, thisProcess } from './process-host.ts';

test('a process that runs is not gone, one that has ended is', () => {
  const here = thisProcess();
  expect(isGone(here)).toBe(false);
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone({ ...here, pid })).toBe(true);
});

test('nothing is known of processes of another machine or namespace', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone({ host: 'elsewhere', pid })).toBe(false);
});
