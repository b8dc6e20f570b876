import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silence, wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import {
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#test/service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let recording: Uint8Array;

beforeAll(async () => {
  folder = await temporaryFolder();
  // `fetch` refuses this port before it tries to connect.
  const recognizer = { STT_ENGINE: 'openai-compatible', STT_BASE_URL: 'http://127.0.0.1:9/v1', STT_MODEL: 'whisper' };
  service = await startService(join(folder.path, 'data'), recognizer);
  recording = wavBytes(await speak(toJyutping('早晨')));
});

afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

it('a recognizer that cannot be reached is 503 with the reason for a waiting call', async () => {
  const answer = await request(`${service.baseUrl}/speech-to-text`, submission(recording));
  expect([answer.status, answer.body['error']]).toEqual([
    503,
    { code: 'engine_unavailable', type: 'server_error', message: expect.stringContaining('cannot be reached') },
  ]);
});

it('a recognizer that cannot be reached fails the record with the reason', async () => {
  const id = requestIdOf(await request(`${service.baseUrl}/api/stt`, submission(recording, { context: '天氣' })));
  const record = await waitForResult(service.baseUrl, id);
  expect(record).toMatchObject({ status: 'failed', error: expect.stringContaining('cannot be reached') });
});

it('a recording without speech needs no recognizer', async () => {
  const answer = await request(`${service.baseUrl}/speech-to-text`, submission(wavBytes(silence(1_000))));
  expect([answer.status, answer.body['text']]).toEqual([200, '']);
});
