import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccount } from '#testbed/service/accounts.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
} from '#testbed/service/service.ts';

/** But the one that names the database. */
const filesUnder = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== 'database',
  );

it('a deleted account leaves no records and no files, and its running work ends', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const service = await startService(dataDir, { WORKERS: '1' });
  const { id, key } = await createAccount(service.baseUrl, 'pro', ['stt', 'tts']);
  const sentence = await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，好唔好呀？'));
  const long = wavBytes(joinSounds(Array<typeof sentence>(12).fill(sentence), 300));

  const voice = new FormData();
  for (const [name, value] of Object.entries({ name: '小明', consent: 'true' })) voice.append(name, value);
  voice.append('sample', new Blob([new Uint8Array(wavBytes(sentence))]), 'sample.wav');
  const headers = { 'x-api-key': key };
  expect((await request(`${service.baseUrl}/api/voices`, { method: 'POST', headers, body: voice })).status).toBe(200);
  const submitted = await request(`${service.baseUrl}/api/stt`, submission(long, { api_key: key }));
  const record = `${service.baseUrl}/api/speech-to-text/get-result?id=${requestIdOf(submitted)}`;
  const stage = async () => (await request(record, { headers })).body['transcription'];
  await expect.poll(stage, { timeout: 60_000 }).toMatchObject({ status: 'processing' });
  expect(await filesUnder(join(dataDir, 'blobs'))).toHaveLength(2);

  const admin = { method: 'DELETE', headers: { 'x-api-key': OWNER_KEY } };
  expect((await request(`${service.baseUrl}/api/admin/accounts/${id}`, admin)).status).toBe(200);
  expect((await request(record, { headers })).status).toBe(401);
  expect((await request(record, { headers: { 'x-api-key': OWNER_KEY } })).body['success']).toBe(false);
  expect(await filesUnder(join(dataDir, 'blobs'))).toEqual([]);

  // With one worker, other work is done only when the deleted work has ended.
  const next = await request(`${service.baseUrl}/speech-to-text`, submission(wavBytes(sentence)));
  expect(next.status).toBe(200);
  expect(await service.stop()).toBe(0);
});
