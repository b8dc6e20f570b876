import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { probeAudio } from '@jyutsing/audio/probe';
import { json, send, type Answer } from '#testbed/clients/requests.ts';
import { bodyOf, disconnectWhen, openPost } from '#test/http/sound.ts';
import { FAILURES } from '#test/http/speak.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { VOICES_BY_OPENAI_NAME } from './openai-voices.ts';

let server: TestServer;
let folder: string;
let account: { id: string; key: string };
let client: OpenAI;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-openai-'));
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['tts']);
  client = new OpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: account.key, maxRetries: 0 });
  Object.assign(server.state, newSpeakingState());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const url = () => `${server.baseUrl}/v1/audio/speech`;
const REQUEST = { model: 'tts-1', voice: 'alloy', input: '今日天氣好好' } as const;
const post = (change: object = {}, key = account.key) => send(url(), json('POST', { ...REQUEST, ...change }, key));
const refusal = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
/** Files are deleted after their last byte was sent. */
const nothingLeft = () => vi.waitFor(async () => expect(await server.incoming()).toEqual([]), 120_000);
const usedBy = async ({ id }: { id: string }) => (await server.store.quotas.used(id)).tts_characters;

const bytesOf = async (response_format: 'pcm' | 'wav' | 'aac') =>
  Buffer.from(await (await client.audio.speech.create({ ...REQUEST, response_format })).arrayBuffer());

async function probed(bytes: Uint8Array) {
  const path = join(folder, 'answer');
  await writeFile(path, bytes);
  return probeAudio(path, { maxDurationMs: 3_600_000 });
}

describe("OpenAI's client", () => {
  test.each([
    [undefined, 'audio/mpeg', 'mp3', 'mp3'],
    ['mp3', 'audio/mpeg', 'mp3', 'mp3'],
    ['opus', 'audio/ogg', 'ogg', 'opus'],
    ['flac', 'audio/flac', 'flac', 'flac'],
    ['wav', 'audio/wav', 'wav', 'pcm_s16le'],
  ] as const)('gets %s', async (response_format, type, container, codec) => {
    const response = await client.audio.speech.create({
      ...REQUEST,
      ...(response_format === undefined ? {} : { response_format }),
    });
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-characters-charged')).toBe('6');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await probed(bytes)).toMatchObject({ container, codec });
    expect(await usedBy(account)).toBe(6);
  });

  test('gets raw samples, a WAV file without a length, and AAC', async () => {
    const [pcm, wav, aac] = [await bytesOf('pcm'), await bytesOf('wav'), await bytesOf('aac')];
    expect(pcm.length).toBe(6 * 2_400 * 2);
    expect([wav.readUInt32LE(4), wav.readUInt32LE(40), wav.readUInt32LE(24)]).toEqual([
      0xffff_ffff, 0xffff_ffff, 24_000,
    ]);
    expect(wav.subarray(44).equals(pcm)).toBe(true);
    expect([aac[0], aac[1]! & 0xf6]).toEqual([0xff, 0xf0]);
  });

  test('receives the beginning before the end is synthesized', async () => {
    for (const response_format of ['pcm', 'wav', 'mp3', 'opus', 'aac', 'flac'] as const) {
      Object.assign(server.state, { spokenSamples: 0, characterMs: 250, paceMs: 10 });
      const response = await client.audio.speech.create({ ...REQUEST, input: '好'.repeat(60), response_format });
      const reader = response.body!.getReader();
      const first = await reader.read();
      expect([response_format, first.done, server.state.spokenSamples < 30 * 6_000]).toEqual([
        response_format,
        false,
        true,
      ]);
      await reader.cancel();
      await vi.waitFor(() => expect(server.state.speaking).toBe(0), 120_000);
    }
  });

  test('gets events whose deltas form the whole audio', async () => {
    const response = await client.audio.speech.create({
      ...REQUEST,
      model: 'gpt-4o-mini-tts',
      response_format: 'pcm',
      stream_format: 'sse',
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    const data = events.map(
      (event) => JSON.parse(event.replace(/^data: /, '')) as { type: string; audio?: string; usage?: object },
    );
    expect(data.pop()).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 6, output_tokens: 0, total_tokens: 6 },
    });
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
    expect(Buffer.concat(data.map(({ audio }) => Buffer.from(audio ?? '', 'base64'))).length).toBe(6 * 2_400 * 2);
  });

  test('gets errors of its own classes, and no retries where they are useless', async () => {
    const failing = async (change: object) => {
      const failure = await client.audio.speech.create({ ...REQUEST, ...change }).catch((error: unknown) => error);
      if (!(failure instanceof APIError)) return failure;
      return [failure.status, failure.code, failure.headers?.get('x-should-retry') ?? null];
    };
    expect(await failing({ voice: 'nobody' })).toEqual([404, 'voice_not_found', 'false']);
    expect(await failing({ input: '' })).toEqual([400, 'invalid_request', 'false']);
    expect(await failing({ input: FAILURES.atOnce })).toEqual([502, 'upstream_unavailable', null]);
    server.state.isSynthesisMissing = true;
    expect(await failing({})).toEqual([503, 'engine_unavailable', 'false']);
    client.apiKey = 'nonsense';
    expect(await failing({})).toEqual([401, 'invalid_api_key', 'false']);
  });
});

/** A voice of another service. */
const UNKNOWN_ID = '2725cf0f-efe2-4132-9e06-62ad84b2973d';

describe('the voice', () => {
  test.each([
    ['jasmine', 'jasmine'],
    ['JASMINE', 'jasmine'],
    [' Kelvin ', 'kelvin'],
    [{ id: 'kelvin' }, 'kelvin'],
    ['nova', 'jasmine'],
    ['Echo', 'kelvin'],
    // The substitute voice does not ship with this server.
    ['onyx', 'jasmine'],
    [null, 'jasmine'],
    ['', 'jasmine'],
    ['default', 'jasmine'],
    ['male', 'kelvin'],
    ['Female-1', 'jasmine'],
    [UNKNOWN_ID, 'jasmine'],
  ])('%j is %s', async (voice, id) => {
    expect((await post({ voice })).status).toBe(200);
    expect(server.state.calls[0]?.voice.id).toBe(id);
  });

  test('of the account precedes the substitute for a name of OpenAI', async () => {
    const { samplePath } = server;
    const texts = { language: null, gender: null, description: null, transcript: null, engine: null };
    const ownVoice = await server.voices.create(account.id, { ...texts, name: 'Nova', consent: true, samplePath });
    await post({ voice: 'nova' });
    const other = await server.newAccount('pro', ['tts']);
    await post({ voice: 'nova' }, other.key);
    // The id of a voice of another account is treated like any unknown one.
    const [stolen, unknown] = [
      await post({ voice: ownVoice.id }, other.key),
      await post({ voice: UNKNOWN_ID }, other.key),
    ];
    expect([stolen.status, stolen.headers.get('x-voice-id-substituted')]).toEqual([200, ownVoice.id]);
    expect([unknown.status, unknown.headers.get('x-voice-id-substituted')]).toEqual([200, UNKNOWN_ID]);
    expect(server.state.calls.map(({ voice }) => voice.id)).toEqual([ownVoice.id, 'jasmine', 'jasmine', 'jasmine']);
  });

  test('has a substitute for each of the thirteen names of OpenAI', () => {
    const all = [
      'alloy',
      'ash',
      'ballad',
      'cedar',
      'coral',
      'echo',
      'fable',
      'marin',
      'nova',
      'onyx',
      'sage',
      'shimmer',
      'verse',
    ];
    expect(Object.keys(VOICES_BY_OPENAI_NAME).toSorted()).toEqual(all);
  });

  test.each(['../jasmine', '__proto__', 'toString', '\0', '聲', 'x'.repeat(4_999)])(
    '%j is not found',
    async (voice) => {
      expect(refusal(await post({ voice }))).toEqual([404, 'voice_not_found']);
    },
  );

  test.each(['af_sky', 'zh-HK-HiuMaanNeural', 'aura-2-thalia-en'])(
    'for %s of another server the default voice speaks, and the answer says so',
    async (voice) => {
      const { status, headers } = await post({ voice });
      expect([status, headers.get('x-voice-id-substituted')]).toEqual([200, voice]);
    },
  );

  test.each([5, ['nova'], { name: 'nova' }, true])('%j is not a valid name', async (voice) => {
    expect(refusal(await post({ voice }))).toEqual([400, 'invalid_request']);
  });
});

describe('the request', () => {
  test.each([
    ['我今日去咗 Starbucks 飲 coffee', undefined, 'cantonese', 'tones'],
    ['The quick brown fox', undefined, 'english', 'tones'],
    ['我们今天去学校', undefined, 'mandarin', 'server-tones'],
    ['我哋今日', 'zh', 'cantonese', 'tones'],
    ['我哋今日', 'cmn', 'mandarin', 'server-tones'],
    ['The quick brown fox', 'auto', 'english', 'tones'],
    ['1234', undefined, 'cantonese', 'tones'],
  ])('%s in %s is spoken as %s', async (input, language, spokenAs, model) => {
    expect((await post({ input, language })).status).toBe(200);
    expect(server.state.calls[0]).toMatchObject({ text: { language: spokenAs }, model: { model } });
  });

  test.each([
    ['auto', null],
    ['tts-1-hd', null],
    ['gpt-4o-mini-tts-2025-12-15', null],
    ['server-tones', null],
    [undefined, null],
    ['V9', 'V9'],
    ['tts-12', 'tts-12'],
    ['test', 'test'],
    ['../tones', '../tones'],
    ['聲', '%E8%81%B2'],
  ])('may name the model %s; %s is ignored', async (model, ignored) => {
    const answer = await post({ model });
    expect([answer.status, answer.headers.get('x-model-id-ignored')]).toEqual([200, ignored]);
  });

  test.each([
    [0.25, 2_400],
    [0.5, 1_200],
    ['2', 300],
    [4, 150],
  ])('at the speed %s has the expected duration', async (speed, durationMs) => {
    const answer = await openPost(url(), { ...REQUEST, response_format: 'pcm', speed }, account.key);
    const { bytes } = await bodyOf(answer);
    expect(Math.abs(bytes.length / 48 / durationMs - 1)).toBeLessThan(0.03);
    await nothingLeft();
  });

  test.each([
    [{ input: undefined }],
    [{ input: ' ' }],
    [{ input: ['a'] }],
    [{ input: '好'.repeat(5_001) }],
    [{ input: '\u{1F600}'.repeat(5_000) }],
    [{ response_format: 'exe' }],
    [{ response_format: ['mp3'] }],
    [{ speed: 0.2 }],
    [{ speed: 4.1 }],
    [{ stream_format: 'video' }],
    [{ language: 'klingon' }],
    [{ model: 5 }],
  ])('with %j is malformed', async (change) => {
    expect(refusal(await post(change))).toEqual([400, 'invalid_request']);
    expect(await usedBy(account)).toBe(0);
  });

  test('may contain fields without effect here', async () => {
    expect((await post({ instructions: { tone: 'cheerful' }, user: 'me', extra: [1] })).status).toBe(200);
  });

  test('needs no streaming plan and uses the common speech quota', async () => {
    const free = await server.newAccount('free', ['tts']);
    expect((await post({}, free.key)).status).toBe(200);
    const poor = await server.newAccount('talkative', ['tts']);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => post({ input: '飲茶嘅', response_format: 'pcm', voice: 'kelvin' }, poor.key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(refusal(await post({ input: '好'.repeat(101) }, poor.key))).toEqual([429, 'quota_exceeded']);
    expect(await usedBy(poor)).toBe(300);
  });
});

test('a plan without streaming gets one complete answer with its length, in every format', async () => {
  const free = await server.newAccount('free', ['tts']);
  for (const response_format of ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']) {
    server.state.spokenSamples = 0;
    const answer = await openPost(url(), { ...REQUEST, response_format }, free.key);
    const { bytes, complete } = await bodyOf(answer);
    const { 'content-length': length, 'transfer-encoding': encoding } = answer.headers;
    expect([response_format, complete, Number(length), encoding]).toEqual([
      response_format,
      true,
      bytes.length,
      undefined,
    ]);
    if (response_format !== 'wav') continue;
    expect([bytes.readUInt32LE(4) + 8, bytes.readUInt32LE(40) + 44]).toEqual([bytes.length, bytes.length]);
  }
  await nothingLeft();
});

test('a plan without streaming gets its events when all audio is synthesized', async () => {
  const free = await server.newAccount('free', ['tts']);
  server.state.paceMs = 50;
  const response = await openPost(url(), { ...REQUEST, stream_format: 'sse', response_format: 'pcm' }, free.key);
  expect(server.state.spokenSamples).toBe(6 * 2_400);
  const { bytes } = await bodyOf(response);
  expect(bytes.toString()).toContain('"speech.audio.done"');
  await nothingLeft();
});

test('a plan without streaming gets the status of a failure that comes late', async () => {
  const free = await server.newAccount('free', ['tts']);
  expect(refusal(await post({ input: `${FAILURES.later}ING NEWS` }, free.key))).toEqual([500, 'engine_failed']);
  expect(await usedBy(free)).toBe(0);
});

test('a failure after the first audio cuts the connection and costs nothing, in every format', async () => {
  for (const change of [{ response_format: 'pcm' }, { response_format: 'mp3' }, { stream_format: 'sse' }]) {
    const answer = await openPost(url(), { ...REQUEST, ...change, input: `${FAILURES.later}ING NEWS` }, account.key);
    expect([answer.status, (await bodyOf(answer)).complete]).toEqual([200, false]);
  }
  await vi.waitFor(async () => expect(await usedBy(account)).toBe(0), 120_000);
});

test('a disconnect stops the synthesis, also while a file is made first', async () => {
  server.state.paceMs = 20;
  for (const change of [{}, { speed: 0.25 }]) {
    await disconnectWhen(url(), { ...REQUEST, ...change, input: '好'.repeat(900) }, account.key, () =>
      vi.waitFor(() => expect(server.state.speaking).toBe(1), 60_000),
    );
    await vi.waitFor(() => expect(server.state.speaking).toBe(0), { timeout: 60_000 });
    await nothingLeft();
  }
  expect(await usedBy(account)).toBe(1_800);
});
