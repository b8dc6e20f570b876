import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, sandboxWords, type Sandbox } from './sandbox.ts';

/** The programs of util-linux are in one of these folders. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };
let folder = '';
let sandbox: Sandbox;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
  sandbox = await openSandbox({ writable: join(folder, 'writable'), read: [process.execPath, folder], environment });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Tries to write in some places and to reach a server; returns the error codes, null for none. */
const PROGRAM = `
const { writeFileSync } = require('node:fs');
const tried = (action) => { try { action(); return null; } catch ({ code }) { return code; } };
const [folder, address] = process.argv.slice(1);
const places = [folder + '/writable/a', folder + '/b', '/dev/shm/' + process.pid, '/dev/null'];
const files = places.map((path) => tried(() => writeFileSync(path, 'x')));
fetch(address).then(() => 'reached', () => 'refused').then((network) => {
  const { execFileSync } = require('node:child_process');
  const remount = tried(() => execFileSync('mount', ['-o', 'remount,bind,rw', '/'], { stdio: 'ignore' }));
  console.log(JSON.stringify({ files, network, remounts: remount === null, pid: process.pid }));
});`;

async function tryIn(words: string[]) {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [program = '', ...args] = [...words, process.execPath, '-e', PROGRAM, folder, address];
  const run = promisify(execFile)(program, args);
  const { stdout } = await run;
  server.close();
  return { ...(JSON.parse(stdout) as { files: unknown[]; network: string; remounts: boolean; pid: number }), run };
}

it('what the machine refuses is said in one clause', async () => {
  const missing = await openSandbox({
    writable: join(folder, 'writable'),
    read: [join(folder, 'absent')],
    environment,
  });
  expect(missing).toMatchObject({ isolatesNetwork: false, isReadOnly: false });
  expect(missing.refusal).toMatch(/^\S.{10,}/);
});

describe('a process of a sandbox', () => {
  it('writes in its folder alone, reaches no server, and cannot undo either', async ({ skip }) => {
    skip(!sandbox.isReadOnly, `this machine has no such sandbox: ${sandbox.refusal}`);
    const { files, network, remounts, pid, run } = await tryIn(sandboxWords(sandbox));
    expect({ files, network, remounts }).toEqual({
      files: [null, 'EROFS', 'EROFS', null],
      network: 'refused',
      remounts: false,
    });
    expect(pid).toBe(run.child.pid);
  });

  it('reaches servers when it dials', async ({ skip }) => {
    skip(!sandbox.isReadOnly, `this machine has no such sandbox: ${sandbox.refusal}`);
    const { files, network } = await tryIn(sandboxWords(sandbox, { dials: true }));
    expect({ files, network }).toEqual({ files: [null, 'EROFS', 'EROFS', null], network: 'reached' });
  });

  it('starts although a file system was unmounted since its mount points were read', async ({ skip }) => {
    skip(!sandbox.isReadOnly, `this machine has no such sandbox: ${sandbox.refusal}`);
    const words = sandboxWords(sandbox);
    const end = words.lastIndexOf('--');
    const { files } = await tryIn([...words.slice(0, end), join(folder, 'unmounted'), ...words.slice(end)]);
    expect(files).toEqual([null, 'EROFS', 'EROFS', null]);
  });

  it('is started as it is where nothing is allowed', () => {
    expect(sandboxWords({ ...sandbox, isReadOnly: false, isolatesNetwork: false })).toEqual([]);
  });
});
