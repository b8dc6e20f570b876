import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';

const TEXT = '我住喺九龍，返工要搭地鐵，今日天氣好好。';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
let env: Record<string, string>;
let sentence: Sound;

beforeAll(async () => {
  folder = await temporaryFolder();
  recognizer = await startRecognizer(TEXT);
  env = { ...recognizer.settings };
  service = await startServiceHere(join(folder.path, 'data'), env);
  sentence = await speak(toJyutping('我住喺九龍，返工要搭地鐵。'));
});

afterAll(async () => {
  await service.stop();
  await recognizer.close();
  await folder[Symbol.asyncDispose]();
});

/** The sentence repeated; a different recording for each number. */
const recording = (times: number) =>
  wavBytes(
    joinSounds(
      Array.from({ length: times }, () => sentence),
      600,
    ),
  );
const HEADERS = { 'x-api-key': OWNER_KEY };
/** Lets the recognizer answer nothing until the returned function is called. */
function holdRecognizer(): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const next = { kind: 'transcription', text: TEXT } as const;
  recognizer.behave(() => ({ kind: 'held', until, next }));
  return () => {
    recognizer.behave(() => next);
    resolve();
  };
}
const call = (method: string, path: string, from = service) =>
  request(`${from.baseUrl}${path}`, { method, headers: HEADERS });
const submit = (audio: Uint8Array, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  request(`${service.baseUrl}/api/stt`, { ...submission(audio, fields), headers });
const usedSeconds = async () => {
  const { body } = await call('GET', '/api/usage');
  return (body['quotas'] as { stt_seconds: { used: number } }).stt_seconds.used;
};
/** But the one that names the database. */
const blobs = async () => {
  const entries = await readdir(join(folder.path, 'data/blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'database').map((entry) => entry.name);
};

/** All events of a transcription until its stream ends. */
async function eventsOf(id: string, from = service): Promise<{ name: string; data: Record<string, unknown> }[]> {
  const answer = await fetch(`${from.baseUrl}/api/speech-to-text/${id}/events`, { headers: HEADERS });
  const events = (await answer.text()).matchAll(/event: (\w+)\ndata: (.*)\n\n/gu);
  return [...events].map(([, name = '', data = '']) => ({ name, data: JSON.parse(data) as Record<string, unknown> }));
}

const fetchAudio = (id: string, range?: string) =>
  fetch(`${service.baseUrl}/api/speech-to-text/${id}/audio`, {
    headers: range === undefined ? HEADERS : { ...HEADERS, range },
  });

describe('a kept recording', () => {
  it('is there in whole or in parts until its record is deleted, also for a cached result', async () => {
    const audio = recording(1);
    const options = { keep_audio: 'true', title: '地鐵.wav' };
    const first = requestIdOf(await submit(audio, options));
    expect(await waitForResult(service.baseUrl, first)).toMatchObject({ status: 'completed', title: '地鐵.wav' });
    const again = requestIdOf(await submit(audio, options));
    await waitForResult(service.baseUrl, again);
    for (const id of [first, again]) {
      const whole = await fetchAudio(id);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect(Buffer.from(await whole.arrayBuffer()).equals(audio)).toBe(true);
    }
    const part = await fetchAudio(first, 'bytes=8-11');
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 8-11/${audio.length}`]);
    expect(await part.text()).toBe('WAVE');
    const beyond = await fetchAudio(first, `bytes=${audio.length}-`);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${audio.length}`]);

    expect((await blobs()).length).toBe(2);
    for (const id of [first, again]) await call('DELETE', `/api/speech-to-text/${id}`);
    expect((await fetchAudio(first)).status).toBe(404);
    expect(await blobs()).toEqual([]);
  });
});

describe('a transcription record', () => {
  it('can be followed, listed, downloaded, served from the cache, and deleted', async () => {
    const audio = recording(8);
    const id = requestIdOf(await submit(audio, { with_diarization: 'false' }));
    const events = await eventsOf(id);
    const last = events.pop();
    expect(last).toMatchObject({ name: 'completed', data: { request_id: id, status: 'completed' } });
    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['progress']));
    const record = await waitForResult(service.baseUrl, id);
    expect(last?.data).toEqual(record);

    const text = record['fused_transcription'] ?? record['transcription'];
    expect(String(text).length).toBeGreaterThan(20);
    const files = await Promise.all(
      ['txt', 'json', 'srt', 'vtt'].map((format) => call('GET', `/api/speech-to-text/${id}.${format}`)),
    );
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(String(files[0]?.body['text']).trim()).toBe(text);
    expect(files[1]?.body['text']).toBe(text);

    const list = await call('GET', '/api/speech-to-text?limit=1');
    expect(list.body['transcriptions']).toEqual([expect.objectContaining({ request_id: id, status: 'completed' })]);

    const used = await usedSeconds();
    const again = await request(`${service.baseUrl}/`, submission(audio));
    expect(again.body).toMatchObject({ text, is_cached: true });
    expect(await usedSeconds()).toBe(used);
    expect(await blobs()).toEqual([]);

    expect((await call('DELETE', `/api/speech-to-text/${id}`)).status).toBe(200);
    expect((await call('GET', `/api/speech-to-text/${id}.txt`)).status).toBe(404);
    expect((await request(`${service.baseUrl}/`, submission(audio))).body).toMatchObject({ is_cached: true });
  });

  it('deleted while it runs stops the work, removes the audio and returns the quota', async () => {
    const before = await usedSeconds();
    const release = holdRecognizer();
    const id = requestIdOf(await submit(recording(2)));
    expect(await usedSeconds()).toBeGreaterThan(before);
    const ended = eventsOf(id);
    await expect
      .poll(async () => (await call('GET', '/metrics')).body['text'], { timeout: 60_000 })
      .toMatch(/active\S* 1\b/);
    expect((await call('DELETE', `/api/speech-to-text/${id}`)).status).toBe(200);
    expect((await ended).at(-1)).toEqual({ name: 'deleted', data: { request_id: id } });
    expect(await usedSeconds()).toBe(before);
    expect(await blobs()).toEqual([]);
    await expect
      .poll(async () => (await call('GET', '/metrics')).body['text'], { timeout: 60_000 })
      .toMatch(/active\S* 0\b/);
    release();
  });

  it('is created once for twenty simultaneous requests with one Idempotency-Key', async () => {
    const before = await usedSeconds();
    const audio = recording(3);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submit(audio, {}, { 'idempotency-key': 'twenty at once' })),
    );
    expect(new Set(answers.map(requestIdOf)).size).toBe(1);
    const record = await waitForResult(service.baseUrl, requestIdOf(answers[0]!));
    expect((await usedSeconds()) - before).toBe(record['credits_used']);
  });
});

it('records are kept for exactly the configured time', async () => {
  await using dataFolder = await temporaryFolder();
  const threeSeconds = String(3 / 86_400);
  const brief = await startServiceHere(dataFolder.path, { ...env, RETENTION_DAYS: threeSeconds });
  try {
    const submitted = await request(`${brief.baseUrl}/api/stt`, submission(recording(1)));
    const id = requestIdOf(submitted);
    await waitForResult(brief.baseUrl, id);
    await expect
      .poll(async () => (await call('GET', `/api/speech-to-text/${id}`, brief)).status, { timeout: 60_000 })
      .toBe(404);
    expect((await call('GET', '/api/speech-to-text', brief)).body['transcriptions']).toEqual([]);
  } finally {
    await brief.stop();
  }
});

it('a stopping service ends all event streams without waiting for them', async () => {
  await using dataFolder = await temporaryFolder();
  const release = holdRecognizer();
  const stopping = await startServiceHere(dataFolder.path, { ...env, DRAIN_SECONDS: '1' });
  const id = requestIdOf(await request(`${stopping.baseUrl}/api/stt`, submission(recording(1))));
  const followed = [eventsOf(id, stopping), eventsOf(id, stopping)];
  await expect.poll(async () => (await call('GET', `/api/speech-to-text/${id}`, stopping)).body['success']).toBe(true);
  const startedMs = performance.now();
  expect(await stopping.stop()).toBe(true);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  for (const events of await Promise.all(followed)) {
    expect(events.at(-1)).toMatchObject({ name: 'error', data: { error: { code: 'service_unavailable' } } });
  }
  release();
});
