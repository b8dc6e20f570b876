import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAccount } from '#testbed/service/accounts.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, requestIdOf, submission, temporaryFolder } from '#testbed/service/service.ts';

/** But the one that names the database. */
const filesUnder = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== 'database',
  );

it('a deleted account leaves no records and no files, and its running work ends', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const recognizer = await startRecognizer();
  onTestFinished(recognizer.close);
  const service = await startServiceHere(dataDir, { ...recognizer.settings });
  const { id, key } = await createAccount(service.baseUrl, 'pro', ['stt', 'tts']);
  const sentence = await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，好唔好呀？'));
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const next = { kind: 'transcription', text: '好呀' } as const;
  recognizer.behave((_, index) => (index === 0 ? { kind: 'held', until, next } : next));

  const voice = new FormData();
  for (const [name, value] of Object.entries({ name: '小明', consent: 'true' })) voice.append(name, value);
  voice.append('sample', new Blob([new Uint8Array(wavBytes(sentence))]), 'sample.wav');
  const headers = { 'x-api-key': key };
  expect((await request(`${service.baseUrl}/api/voices`, { method: 'POST', headers, body: voice })).status).toBe(200);
  const submitted = await request(`${service.baseUrl}/api/stt`, submission(wavBytes(sentence), { api_key: key }));
  const record = `${service.baseUrl}/api/speech-to-text/get-result?id=${requestIdOf(submitted)}`;
  await expect.poll(recognizer.busy).toBe(1);
  expect((await request(record, { headers })).body['transcription']).toMatchObject({ status: 'processing' });
  expect(await filesUnder(join(dataDir, 'blobs'))).toHaveLength(2);

  const admin = { method: 'DELETE', headers: { 'x-api-key': OWNER_KEY } };
  expect((await request(`${service.baseUrl}/api/admin/accounts/${id}`, admin)).status).toBe(200);
  expect((await request(record, { headers })).status).toBe(401);
  expect((await request(record, { headers: { 'x-api-key': OWNER_KEY } })).body['success']).toBe(false);
  expect(await filesUnder(join(dataDir, 'blobs'))).toEqual([]);

  // With one worker, other work is done only when the deleted work has ended.
  const other = await request(`${service.baseUrl}/speech-to-text`, submission(wavBytes(sentence)));
  expect(other).toMatchObject({ status: 200, body: { text: '好呀' } });
  release();
  expect(await service.stop()).toBe(true);
});
