import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silence, wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { request, requestIdOf, submission, temporaryFolder, waitForResult } from '#testbed/service/service.ts';
import { openSilentAddress } from '#test/silent-address.ts';

let recording: Uint8Array;
beforeAll(async () => {
  recording = wavBytes(await speak(toJyutping('早晨')));
});

/** `fetch` refuses the first port before it tries to connect; nothing answers at the second. */
const ADDRESSES = {
  'refuses connections': async () => ({ port: 9, [Symbol.asyncDispose]: async () => {} }),
  'never answers': openSilentAddress,
};

describe.each(Object.entries(ADDRESSES))('a recognizer at an address that %s', (_, open) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let address: Awaited<ReturnType<typeof open>>;
  let service: ServiceHere;

  beforeAll(async () => {
    folder = await temporaryFolder();
    address = await open();
    service = await startServiceHere(join(folder.path, 'data'), {
      STT_ENGINE: 'openai-compatible',
      STT_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
      STT_MODEL: 'whisper',
      // Below the time in which `fetch` gives a connection up, and above ours.
      STT_TIMEOUT_SECONDS: '8',
    });
  });

  afterAll(async () => {
    await service.stop();
    await address[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('is 503 with the reason for a waiting call', async () => {
    const answer = await request(`${service.baseUrl}/speech-to-text`, submission(recording));
    expect([answer.status, answer.body['error']]).toEqual([
      503,
      { code: 'engine_unavailable', type: 'server_error', message: expect.stringContaining('cannot be reached') },
    ]);
  });

  it('fails the record with the same reason and code', async () => {
    const id = requestIdOf(await request(`${service.baseUrl}/api/stt`, submission(recording, { context: '天氣' })));
    expect(await waitForResult(service.baseUrl, id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot be reached'),
      error_code: 'engine_unavailable',
    });
  });

  it('is not needed for a recording without speech', async () => {
    const answer = await request(`${service.baseUrl}/speech-to-text`, submission(wavBytes(silence(1_000))));
    expect([answer.status, answer.body['text']]).toEqual([200, '']);
  });
});
