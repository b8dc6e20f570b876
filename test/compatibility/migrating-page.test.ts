import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_FORMATS, tones, writeSound } from '#testbed/sound/audio.ts';
import { form, json, send, wav, type Answer } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

const THEIR_VOICE = '2725cf0f-efe2-4132-9e06-62ad84b2973d';
const OTHER_VOICE = '776fc91d-9d92-46b6-8522-e8317f687892';

let server: TestServer;
let configured: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-migrating-'));
  server = await startTestServer({ scorePronunciation: scoreWell });
  configured = await startTestServer({
    voiceAliases: { [OTHER_VOICE]: 'kelvin' },
    blockingByDefault: true,
    isLocal: false,
    zhMeans: 'cantonese',
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await configured[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const speak = (body: object, path = '/api/tts', at = server) =>
  send(at.baseUrl + path, json('POST', { text: '早晨', ...body }, at.ownerKey));
const transcribe = (path: string, parts: [string, string][] = [], at = server) =>
  send(at.baseUrl + path, form(['api_key', at.ownerKey], ...parts, ['data', wav(1.5)]));
const upload = (file: Uint8Array<ArrayBuffer>) =>
  send(`${server.baseUrl}/`, form(['api_key', server.ownerKey], ['data', file]));
const score = (path: string) =>
  send(server.baseUrl + path, form(['api_key', server.ownerKey], ['text', '好'], ['audio', wav(1.5)]));
const askJyutping = ({ baseUrl }: TestServer) =>
  send(`${baseUrl}/api/text-to-jyutping`, json('POST', { text: '你好' }));
const makeVoice = (...parts: [string, string][]) =>
  send(
    `${server.baseUrl}/api/voices`,
    form(['api_key', server.ownerKey], ['name', '阿明'], ['language', 'cantonese'], ...parts, ['sample', wav(4)]),
  );
/** When the words of a text start, in seconds. */
async function startsOf(text: string): Promise<number[]> {
  const { body } = await speak({ text, should_return_timestamp: true });
  return (body['timestamps'] as unknown as { start: number }[]).map(({ start }) => start);
}
const twice = (first: string, second: string): [string, string][] => [
  ['with_timestamp', first],
  ['with_timestamp', second],
];
const voices = ({ state }: TestServer) => state.calls.map(({ voice }) => voice.id);
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const statuses = async (...answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status);

/** Proves each row of the table, by its subject. */
const ROWS: Record<string, () => Promise<void>> = {
  async 'Host names'() {
    expect((await transcribe('/')).body['text']).toBe('早晨 你好媽');
  },
  async Paths() {
    const paths = ['/stt', '/v1/speech-to-text'].map((path) => transcribe(path));
    const spoken = ['/tts', '/v1/tts', '/v1/text-to-speech'].map((path) => speak({}, path));
    const scored = ['/score-pronunciation', '/api/score'].map(score);
    const read = speak({}, '/text-to-jyutping');
    expect(await statuses(...paths, ...spoken, ...scored, read)).toEqual(Array(8).fill(200));
  },
  async Voices() {
    Object.assign(configured.state, newSpeakingState());
    const unknown = await speak({ voice_id: THEIR_VOICE }, '/api/tts', configured);
    expect([unknown.status, unknown.headers.get('x-voice-id-substituted')]).toEqual([200, THEIR_VOICE]);
    const byConfiguration = await speak({ voice_id: OTHER_VOICE }, '/api/tts', configured);
    expect([byConfiguration.status, byConfiguration.headers.get('x-voice-id-substituted')]).toEqual([200, null]);
    expect(voices(configured)).toEqual(['jasmine', 'kelvin']);
  },
  async 'Names of voices'() {
    Object.assign(server.state, newSpeakingState());
    for (const voice of ['default', 'female', 'male', 'female-1', 'male-young']) await speak({ voice });
    expect(voices(server)).toEqual(['jasmine', 'jasmine', 'kelvin', 'jasmine', 'kelvin']);
    expect(code(await speak({ voice: 'robot' }))).toEqual([404, 'voice_not_found']);
  },
  async 'Voices of streams'() {
    expect(code(await speak({ voice_id: THEIR_VOICE }, '/api/tts-stream'))).toEqual([404, 'voice_not_found']);
    expect((await speak({ voice_id: OTHER_VOICE }, '/api/tts-stream', configured)).status).toBe(200);
  },
  async Models() {
    for (const model of ['v2', 'v6', 'v8']) {
      const answers = [await speak({ model_id: model }), await transcribe('/', [['model', model]])];
      const expected = [200, model];
      expect(answers.map(({ status, headers }) => [status, headers.get('x-model-id-ignored')])).toEqual([
        expected,
        expected,
      ]);
    }
  },
  async 'Turbo model'() {
    expect((await speak({ should_use_turbo_model: true })).status).toBe(200);
  },
  async 'File format'() {
    expect((await speak({})).headers.get('content-type')).toBe('audio/wav');
  },
  async 'Answer of /v1/tts'() {
    const { headers } = await speak({ voice: 'default', output_format: 'mp3' }, '/v1/tts');
    expect(headers.get('content-type')).toBe('audio/mpeg');
  },
  async 'Waiting for a transcription'() {
    expect((await transcribe('/api/stt')).body).toMatchObject({ data: { status: 'processing' } });
    expect((await transcribe('/api/stt', [['wait_for_completion', 'true']])).body['text']).toBe('早晨 你好媽');
    expect((await transcribe('/api/stt', [], configured)).body['text']).toBe('早晨 你好媽');
  },
  async 'Long texts'() {
    const text = '好'.repeat(5_001);
    expect(code(await speak({ text }))).toEqual([413, 'payload_too_large']);
    expect(code(await speak({ text, voice_id: 'jasmine' }, '/api/tts-stream'))).toEqual([400, 'invalid_request']);
  },
  async 'Language zh'() {
    for (const [at, language] of [
      [server, 'chinese'],
      [configured, 'cantonese'],
    ] as const) {
      await transcribe('/', [['language', 'zh']], at);
      const [owner] = await at.store.accounts.list();
      const [latest] = await at.store.transcriptions.list(owner?.id ?? '', { limit: 1 });
      expect(latest?.options.language).toBe(language);
    }
    Object.assign(server.state, newSpeakingState());
    await speak({ language: 'zh' });
    expect(server.state.calls).toMatchObject([{ text: { language: 'cantonese' } }]);
  },
  async 'Sound formats'() {
    for (const format of FIXTURE_FORMATS) {
      const path = join(folder, 'recording.ogg');
      await writeSound(path, tones([{ frequencyHz: 440, durationMs: 1_500 }]), format);
      const file = new Uint8Array(await readFile(path));
      expect([format, (await upload(file)).status]).toEqual([format, 200]);
    }
    expect(code(await upload(new TextEncoder().encode('a letter')))).toEqual([415, 'unsupported_audio_format']);
  },
  async 'Several recordings'() {
    // A server that waits by default does not wait for several.
    for (const { baseUrl, ownerKey } of [server, configured]) {
      const two = form(['api_key', ownerKey], ['data', wav(1)], ['data', wav(1)]);
      const { body } = await send(`${baseUrl}/api/stt`, two);
      expect(body['data']).toMatchObject({ batch_id: expect.any(String), transcriptions: [{}, {}] });
    }
  },
  async 'Doubled form fields'() {
    expect(String((await transcribe('/', twice('', 'true'))).body['text'])).toMatch(/^1\n/);
    expect(code(await transcribe('/', twice('false', 'true')))).toEqual([400, 'invalid_request']);
  },
  async 'Empty switches'() {
    expect((await transcribe('/', [['with_timestamp', '']])).body['text']).toBe('早晨 你好媽');
    expect((await speak({ should_enhance: '', should_return_timestamp: '' })).status).toBe(200);
  },
  async Pauses() {
    expect(await startsOf('早<break time="1s"/>晨')).toEqual([0, 1.1]);
    expect(await startsOf('早<break time="60s"/>晨')).toEqual([0, 10.1]);
  },
  async Jyutping() {
    expect((await askJyutping(server)).body).toEqual({ success: true, result: 'nei5 hou2' });
    expect(code(await askJyutping(configured))).toEqual([401, 'missing_api_key']);
  },
  async 'Keys in the address'() {
    const answer = await send(`${server.baseUrl}/api/voices?api_key=${server.ownerKey}`);
    expect(code(answer)).toEqual([401, 'missing_api_key']);
  },
  async Quota() {
    const { key } = await server.newAccount('talkative', ['tts']);
    const answer = await send(`${server.baseUrl}/api/tts`, json('POST', { text: '好'.repeat(401) }, key));
    expect(code(answer)).toEqual([429, 'quota_exceeded']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  },
  async 'New voices'() {
    expect(await statuses(makeVoice(['consent', 'true']), makeVoice())).toEqual([200, 400]);
  },
};

describe('docs/migrating.md, the list of differences', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/migrating.md'), 'utf8');
  const [, list = ''] = /## Coming from the hosted service\n([^]*?)\n## /.exec(page) ?? [];
  const subjects = [...list.matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, subject]) => subject);

  it('has a test for each of its entries', () => {
    expect(subjects).toEqual(Object.keys(ROWS));
  });

  it.each(Object.entries(ROWS))('%s', async (_, check) => {
    await expect(check()).resolves.toBeUndefined();
  });
});
