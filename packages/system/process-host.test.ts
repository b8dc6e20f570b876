import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isGone, isHere, thisProcess } from './process-host.ts';

test('a process that runs is not gone, one that has ended is', () => {
  const here = thisProcess();
  expect([isHere(here), isGone(here)]).toEqual([true, false]);
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone({ ...here, pid })).toBe(true);
});

test.runIf(process.platform === 'linux')('a process that started after it was seen is another with its pid', () => {
  const here = thisProcess();
  expect([isGone(here, 1_000), isGone(here, 24 * 3_600_000)]).toEqual([false, true]);
  // The oldest process of this namespace.
  expect(isGone({ ...here, pid: 1 }, 1_000 * process.uptime())).toBe(false);
});

test('nothing is known of processes of another machine or namespace', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const otherPlace = { host: 'elsewhere', pid };
  expect([isHere(otherPlace), isGone(otherPlace)]).toEqual([false, false]);
});
