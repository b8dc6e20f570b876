import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { jsonRequest } from '#testbed/clients/decode-sound.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { scorePronunciation } from '#testbed/clients/pronunciation-scoring.ts';
import { OWNER_KEY, request, requestIdOf, submission, temporaryFolder } from '#testbed/service/service.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';

// Each test compares the order in which work ends: the recording is still being transcribed when
// the other answer has arrived. With one queue for both it would be finished by then.
const SENTENCE = '圖書館星期一唔開門。';
/** About twenty minutes of speech: recognition takes many times longer than the other requests. */
const SENTENCES = 500;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let sentence: Buffer;
let id: string;

const recordOf = async (): Promise<Record<string, unknown>> => {
  const url = `${service.baseUrl}/api/speech-to-text/get-result?id=${id}`;
  const { body } = await request(url, { headers: { 'x-api-key': OWNER_KEY } });
  return body['transcription'] as Record<string, unknown>;
};

/** Resolves when recognition itself has begun: the first progress above zero is reported. */
async function recognitionOf(transcription: string): Promise<void> {
  const url = `${service.baseUrl}/api/speech-to-text/${transcription}/events`;
  const { body } = await fetch(url, { headers: { 'x-api-key': OWNER_KEY } });
  let seen = '';
  for await (const text of body!.pipeThrough(new TextDecoderStream())) {
    seen += text;
    if (/"processed_s":(?:[1-9]|0\.\d*[1-9])/.test(seen)) return;
  }
  throw new Error(`the transcription ended without progress:\n${seen}`);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const spoken = await speak(toJyutping(SENTENCE));
  sentence = wavBytes(spoken);
  const long = wavBytes(joinSounds(Array<typeof spoken>(SENTENCES).fill(spoken), 400));
  service = await startServiceHere(join(folder.path, 'data'), { DRAIN_SECONDS: '0' });
  // One recording for all tests: it is still being transcribed at the end of the last one.
  id = requestIdOf(await request(`${service.baseUrl}/api/stt`, submission(long, { skip_fusion: 'true' })));
  await recognitionOf(id);
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

it('a score is answered while a long recording is transcribed', async () => {
  const { score } = await scorePronunciation(service, sentence, SENTENCE, 'cantonese');
  expect(score).toBeGreaterThan(0);
  expect(await recordOf()).toMatchObject({ status: 'processing' });
});

it('speech is made while a long recording is transcribed', async () => {
  const response = await fetch(`${service.baseUrl}/api/tts`, jsonRequest({ text: SENTENCE, voice_id: 'jasmine' }));
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  expect(await recordOf()).toMatchObject({ status: 'processing' });
});

it('another upload is checked and accepted while a long recording is transcribed', async () => {
  const { status, body } = await request(`${service.baseUrl}/api/stt`, submission(sentence));
  expect([status, body['success']]).toEqual([200, true]);
  const damaged = await request(`${service.baseUrl}/api/stt`, submission(Buffer.from('not a recording')));
  expect(damaged.status).toBe(415);
  expect(await recordOf()).toMatchObject({ status: 'processing' });
});
