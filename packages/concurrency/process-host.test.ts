import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isGone, isHere, thisProcess } from './process-host.ts';

test('a process that runs is not gone, one that has ended is', () => {
  const here = thisProcess();
  expect([isHere(here), isGone(here)]).toEqual([true, false]);
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone({ ...here, pid })).toBe(true);
});

test('nothing is known of processes of another machine or namespace', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const elsewhere = { host: 'elsewhere', pid };
  expect([isHere(elsewhere), isGone(elsewhere)]).toEqual([false, false]);
});
