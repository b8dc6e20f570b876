import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { wav } from '#testbed/clients/requests.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startTestServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('watch transcribes each recording of a folder once, also after a restart, and leaves other files alone', async () => {
  const recordings = join(folder.path, 'recordings');
  await mkdir(recordings);
  await writeFile(join(recordings, 'monday.wav'), wav(1));
  await writeFile(join(recordings, 'notes.txt'), 'no sound');
  const env = { ...baseEnvironment(), JYUTSING_URL: server.baseUrl, JYUTSING_API_KEY: server.ownerKey };
  const watch = () => runCommandHere(['watch', 'recordings', '--once', '--out', 'texts'], env, folder.path);
  const files = async () => (await readdir(join(folder.path, 'texts'))).filter((name) => !name.startsWith('.'));
  expect(await watch()).toMatchObject({ code: 0 });
  expect(await files()).toEqual(['monday.txt']);
  expect(await readFile(join(folder.path, 'texts', 'monday.txt'), 'utf8')).toContain('早晨');
  const count = async () => {
    const { id } = (await server.store.accounts.list())[0]!;
    return (await server.store.transcriptions.list(id, { limit: 50 })).length;
  };
  const before = await count();
  expect(await watch()).toMatchObject({ code: 0 });
  expect(await count()).toBe(before);
  await writeFile(join(recordings, 'tuesday.wav'), wav(2));
  await writeFile(join(recordings, 'broken.wav'), 'this is no sound');
  expect(await watch()).toMatchObject({ code: 1, errors: expect.stringContaining('broken.wav') });
  expect((await files()).toSorted()).toEqual(['monday.txt', 'tuesday.txt']);
  expect(await count()).toBe(before + 1);
});

test('a recording beside one of the same name changes nothing of what is done, wherever the command runs', async () => {
  const names = join(folder.path, 'names');
  await mkdir(names);
  const env = { ...baseEnvironment(), JYUTSING_URL: server.baseUrl, JYUTSING_API_KEY: server.ownerKey };
  await writeFile(join(names, 'b.wav'), wav(3));
  expect(await runCommandHere(['watch', 'names', '--once'], env, folder.path)).toMatchObject({ code: 0 });
  await writeFile(join(names, 'b.mp4'), wav(4));
  expect(await runCommandHere(['watch', 'names', '--once'], env, folder.path)).toMatchObject({ code: 0 });
  expect((await readdir(names)).toSorted()).toEqual([
    '.jyutsing-transcripts.json',
    'b.mp4',
    'b.mp4.txt',
    'b.txt',
    'b.wav',
  ]);
  for (const [source, from] of [
    ['.', names],
    ['names', folder.path],
    [names, folder.path],
  ] as const) {
    const again = await runCommandHere(['watch', source, '--once'], env, from);
    expect([again.code, again.errors.match(/done before/g)?.length]).toEqual([0, 2]);
  }
});

test('a folder that does not exist is refused', async () => {
  const env = { ...baseEnvironment(), JYUTSING_URL: server.baseUrl, JYUTSING_API_KEY: server.ownerKey };
  const refused = await runCommandHere(['watch', 'nowhere', '--once', '--out', 'texts'], env, folder.path);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('nowhere')]);
  // Nor is it made for the results.
  const beside = await runCommandHere(['watch', 'nowhere', '--once'], env, folder.path);
  expect([beside.code, existsSync(join(folder.path, 'nowhere'))]).toEqual([1, false]);
});
