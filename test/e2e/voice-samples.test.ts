import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { joinSounds } from '#testbed/sound/espeak-speech.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { vocos24Files, zipvoiceFiles } from '#test/sherpa-onnx/zipvoice-models.ts';
import { synthesize } from '#testbed/clients/pronunciation-scoring.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, temporaryFolder } from '#testbed/service/service.ts';

const TEXTS = ['今日天氣好好，我哋去公園行下。', '聽日可能會落雨，記得帶遮出門口。'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
beforeAll(async () => {
  folder = await temporaryFolder();
  const modelsDir = join(folder.path, 'models');
  await installTestModel(modelsDir, 'zipvoice', zipvoiceFiles());
  await installTestModel(modelsDir, 'vocos-24khz', vocos24Files());
  service = await startServiceHere(join(folder.path, 'data'), { WORKERS: '1', MODELS_DIR: modelsDir });
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

/** Speaks both texts with one of the shipped voices. */
const spokenBy = async (voice: string): Promise<Sound> => {
  const sounds = [];
  for (const text of TEXTS) sounds.push(await synthesize(service, { text, voice_id: voice }));
  return joinSounds(sounds, 300);
};
const send = (path: string, sample: Sound, fields: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ api_key: OWNER_KEY, ...fields })) body.append(name, value);
  body.append('sample', new Blob([new Uint8Array(wavBytes(sample))]), 'sample.wav');
  return request(`${service.baseUrl}${path}`, { method: 'POST', body });
};
const create = (sample: Sound) => send('/api/voices', sample, { name: '小明', consent: 'true' });
const check = (sample: Sound) => send('/api/voices/check', sample, {});

it('a sample of two people is refused with advice, and a sample of either of them is not', async () => {
  const [woman, man] = [await spokenBy('maria'), await spokenBy('marcus')];
  const refused = await create(joinSounds([woman, man], 300));
  expect([refused.status, refused.body['message']]).toEqual([422, expect.stringContaining('More than one voice')]);
  expect((refused.body['error'] as { code: string }).code).toBe('unsuitable_sample');
  expect(await check(joinSounds([woman, man], 300))).toMatchObject({
    status: 422,
    body: { error: { code: 'unsuitable_sample' } },
  });
  const checked = await check(man);
  expect(checked).toMatchObject({ status: 200, body: { success: true, sample_seconds: expect.any(Number) } });
  const listed = await request(`${service.baseUrl}/api/voices`, { headers: { 'x-api-key': OWNER_KEY } });
  // A check keeps nothing.
  expect((listed.body['voices'] as { public: boolean }[]).filter((voice) => !voice.public)).toEqual([]);
  for (const sample of [woman, man]) expect((await create(sample)).status).toBe(200);
});

it('a model that needs the words of a sample has them recognized, and they are kept', async () => {
  const { body } = await create(await spokenBy('maria'));
  const { voice_id: voiceId, transcript } = body['voice'] as Record<string, string>;
  expect(transcript).toBeUndefined();
  // ZipVoice speaks Mandarin, and the built-in recognizer hears the Cantonese of the sample.
  const sound = await synthesize(service, { text: '你好', voice_id: voiceId ?? '', language: 'mandarin' });
  expect(sound.channels[0]?.some((sample) => Math.abs(sample) > 0.05)).toBe(true);
  const headers = { 'x-api-key': OWNER_KEY };
  const found = (await request(`${service.baseUrl}/api/voices/${voiceId}`, { headers })).body['voice'];
  expect(found).toMatchObject({ transcript: expect.stringContaining('天氣') });
});
