import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount, type TestAccount } from '#testbed/service/accounts.ts';
import { wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { request, requestIdOf, temporaryFolder, waitForResult } from '#testbed/service/service.ts';

/** Seconds of the plan `small`: less than the recording has. */
const QUOTA = 20;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
let sound: Sound;
/** A FLAC file of that sound that declares one second. */
let forged: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const plansFile = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: QUOTA, tts_characters: 0, video_summaries: 0 };
  const plan = { quotas, requestsPerMinute: 1_000, pollsPerMinute: 10_000, streamingTts: false };
  const large = { ...plan, quotas: { ...quotas, stt_seconds: 10_000 } };
  await writeFile(plansFile, JSON.stringify({ small: plan, large }));
  recognizer = await startRecognizer('今日天氣好好，我哋去公園行下。');
  const env = { ...recognizer.settings, PLANS_FILE: plansFile };
  service = await startServiceHere(join(folder.path, 'data'), env);
  const sentences = ['今日天氣好好', '我哋去公園行下', '聽日可能會落雨', '記得帶遮出門口'];
  const spoken = await Promise.all(sentences.map((text) => speak(toJyutping(text))));
  sound = joinSounds([...spoken, ...spoken, ...spoken, ...spoken], 900);
  const path = join(folder.path, 'speech.flac');
  await writeSound(path, sound, 'flac');
  forged = declaring(new Uint8Array(await readFile(path)), sound.sampleRateHz);
});
afterAll(async () => {
  await service.stop();
  await recognizer.close();
  await folder[Symbol.asyncDispose]();
});

/** Writes the number of samples into the header of a FLAC file (RFC 9639, section 8.2). */
function declaring(flac: Uint8Array<ArrayBuffer>, samples: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(flac.buffer);
  // After "fLaC" and the block header; 36 bits, of which the first four share a byte.
  flac[21] = flac[21]! & 0xf0;
  view.setUint32(22, samples);
  return flac;
}

const formOf = (fields: Record<string, string>, field: string, audio: Uint8Array<ArrayBuffer>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(field, new Blob([audio]), 'recording');
  return form;
};
const usedSeconds = async ({ key }: TestAccount) => {
  const { body } = await request(`${service.baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
  return (body['quotas'] as { stt_seconds: { used: number } }).stt_seconds.used;
};
const submit = async ({ key }: TestAccount, audio: Uint8Array<ArrayBuffer>) => {
  const body = formOf({ api_key: key, skip_fusion: 'true' }, 'data', audio);
  return requestIdOf(await request(`${service.baseUrl}/api/stt`, { method: 'POST', body }));
};
const remove = (id: string, { key }: TestAccount) =>
  request(`${service.baseUrl}/api/speech-to-text/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } });
const seconds = () => Math.ceil(durationOf(sound) / 1_000);

it('a recording that is longer than it declares ends where the quota ends, without its text', async () => {
  expect(seconds()).toBeGreaterThan(QUOTA);
  const account = await createAccount(service.baseUrl, 'small', ['stt']);
  const record = await waitForResult(service.baseUrl, await submit(account, forged), { key: account.key });
  expect(record).toMatchObject({ status: 'failed', error: expect.stringContaining('longer than it declares') });
  expect(JSON.stringify(record)).not.toMatch(/天氣|公園/);
  expect(await usedSeconds(account)).toBe(0);
});

it('a recording that is longer than it declares is charged in full where the quota has enough', async () => {
  const account = await createAccount(service.baseUrl, 'large', ['stt']);
  const record = await waitForResult(service.baseUrl, await submit(account, forged), { key: account.key });
  expect(record).toMatchObject({ status: 'completed', credits_used: seconds() });
  expect(await usedSeconds(account)).toBe(seconds());
});

it('text that was streamed is charged when its record is deleted before the end', async () => {
  const account = await createAccount(service.baseUrl, 'large', ['stt']);
  const id = crypto.randomUUID();
  // It is at work when the record is deleted.
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const next = { kind: 'transcription', text: '今日天氣好好。' } as const;
  recognizer.uploads.length = 0;
  recognizer.behave((_, index) => (index < 3 ? next : { kind: 'held', until, next }));
  const audio = new Uint8Array(wavBytes(joinSounds([sound, sound, sound, sound], 900)));
  const response = await fetch(`${service.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'x-request-id': id },
    body: formOf({ language: 'yue', stream: 'true' }, 'file', audio),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let streamed = '';
  while ((streamed.match(/delta/g) ?? []).length < 3) {
    const { value = '' } = await reader.read();
    streamed += value;
  }
  expect((await remove(id, account)).status).toBe(200);
  const used = await usedSeconds(account);
  // Three stretches of speech of at least one second.
  expect(used).toBeGreaterThanOrEqual(3);
  expect(used).toBeLessThan(seconds() * 4);
  for (let part = await reader.read(); !part.done; part = await reader.read()) streamed += part.value;
  expect(streamed).toContain('event: error');
  expect(streamed).not.toContain('transcript.text.done');
  // Nothing is given back or added later.
  expect(await usedSeconds(account)).toBe(used);
  recognizer.behave(() => next);
  release();
});

it('a record that is deleted before its work begins costs nothing', async () => {
  const account = await createAccount(service.baseUrl, 'large', ['stt']);
  const busy = await createAccount(service.baseUrl, 'large', ['stt']);
  const audio = new Uint8Array(wavBytes(joinSounds([sound, sound], 700)));
  const earlierIds = [await submit(busy, audio), await submit(busy, forged)];
  const id = await submit(account, new Uint8Array(wavBytes(sound)));
  expect(await usedSeconds(account)).toBe(seconds());
  expect((await remove(id, account)).status).toBe(200);
  expect(await usedSeconds(account)).toBeLessThan(seconds());
  for (const other of earlierIds) await remove(other, busy);
});
