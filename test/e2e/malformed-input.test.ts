import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { FIXTURE_FORMATS, noise, writeSound } from '#testbed/sound/audio.ts';
import { form, send, sendRaw } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { malformedRequest } from '#testbed/clients/malformed-requests.ts';
import { mutate, randomFrom } from '#testbed/clients/mutated-files.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

// The long version is `npm run stress -- fuzz`.
const REQUESTS = 400;
const FILES_PER_FORMAT = 12;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ bodyPace: { intervalMs: 300, minBytesPerSecond: 1_000, wholeMs: 60_000 } });
});
afterAll(() => server[Symbol.asyncDispose]());

test('malformed requests get no undocumented server error and leave nothing behind', async () => {
  const wrong: [seed: number, answer: string][] = [];
  const seeds = Array.from({ length: REQUESTS }, (_, seed) => seed);
  await inParallel(seeds, 16, async (seed) => {
    const answer = await sendRaw(server.port, malformedRequest(randomFrom(seed), server.ownerKey), 3_000);
    // Scoring is unavailable in this server, and says so.
    if (!/^HTTP\/1\.1 [234]\d\d/.test(answer) && !answer.includes('engine_unavailable')) wrong.push([seed, answer]);
  });
  expect(wrong).toEqual([]);
  await expect.poll(() => server.incoming()).toEqual([]);
});

test.each(FIXTURE_FORMATS)('mutated %s files get no server error and leave nothing behind', async (format) => {
  // With the usual pace, because a busy machine may pause a client for longer than that above.
  await using patient = await startTestServer();
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'noise');
  await writeSound(path, noise(400, 0.2), format);
  const original = await readFile(path);
  for (let seed = 0; seed < FILES_PER_FORMAT; seed += 1) {
    const file = new Uint8Array(mutate(original, randomFrom(seed)));
    const { status } = await send(`${patient.baseUrl}/api/stt`, form(['api_key', patient.ownerKey], ['data', file]));
    expect([seed, status]).toEqual([seed, expect.toBeOneOf([200, 415, 422])]);
  }
  await expect.poll(() => patient.incoming()).toEqual([]);
});
