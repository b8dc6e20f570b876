import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisProcess } from '@jyutsing/system/process-host';
import { announcedAddresses, createAnnouncement } from './service-address.ts';

const listener = (port: number) => ({ host: '127.0.0.1', port, http: { tls: null } }) as never;
let dataDir: string;
/** Ids of processes with a lease. */
let living: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-address-'));
  living = [];
});
afterEach(() => rm(dataDir, { recursive: true }));

function open(processId: string = crypto.randomUUID()) {
  const workers = { list: async () => living.map((id) => ({ id, ...thisProcess(), heartbeatAgeMs: 0 })) };
  living.push(processId);
  return { processId, ...createAnnouncement(dataDir, { processId, workers: workers as never }) };
}

async function write(content: object): Promise<string> {
  const id = crypto.randomUUID();
  await writeFile(join(dataDir, `service-${id}.json`), JSON.stringify(content));
  return id;
}
const left = async () => (await readdir(dataDir)).map((name) => name.replace(/^service-(.*)\.json$/, '$1')).sort();

test('a service that starts leaves the file of one with another database, which lives', async () => {
  const first = open();
  await first.announce(listener(1));
  living = [];
  const second = open();
  await second.announce(listener(2));
  expect((await announcedAddresses(dataDir)).sort()).toEqual(['http://127.0.0.1:1', 'http://127.0.0.1:2']);
});

test('a service that starts deletes the files of those that have ended, and files without an address', async () => {
  const otherProcess = { host: 'another container', pid: 1, baseUrl: 'http://127.0.0.1:1' };
  const leased = await write(otherProcess);
  living.push(leased);
  await write(otherProcess);
  await write({ ...thisProcess(), pid: 2 ** 22 + 1, baseUrl: 'http://127.0.0.1:1' });
  await write(thisProcess());
  const folder = crypto.randomUUID();
  await mkdir(join(dataDir, `service-${folder}.json`));
  const { announce, processId } = open();
  await announce(listener(2));
  expect(await left()).toEqual([leased, folder, processId].sort());
});

test('a file that was deleted, or seems older than its process, is written again until the service stops', async () => {
  const { announce, keep, withdraw, processId } = open();
  await keep();
  expect(await left()).toEqual([]);
  await announce(listener(1));
  await rm(join(dataDir, `service-${processId}.json`));
  await keep();
  expect(await announcedAddresses(dataDir)).toEqual(['http://127.0.0.1:1']);
  // The clock was set: the file seems to be of another process with this pid.
  await utimes(join(dataDir, `service-${processId}.json`), new Date(), new Date(Date.now() - 24 * 3_600_000));
  expect(await announcedAddresses(dataDir)).toEqual([]);
  await keep();
  expect(await announcedAddresses(dataDir)).toEqual(['http://127.0.0.1:1']);
  await withdraw();
  await keep();
  expect(await left()).toEqual([]);
});
