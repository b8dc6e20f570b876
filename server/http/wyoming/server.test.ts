import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '#features/accounts/api-keys.ts';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { pcmOf } from '#testbed/clients/live-client.ts';
import { hear, openWyoming, soundOf, type WyomingTestClient } from '#test/wyoming-client.ts';

const KEY = 'jyut_key_of_the_home_0123456789';
const PCM = { rate: 16_000, width: 2, channels: 1 };
/** Samples of a character as the test voice sings it. */
const CHARACTER = 2_400;

let server: TestServer;
let port: number;
let owner: string;
let speech: Buffer;
let client: WyomingTestClient;

beforeAll(async () => {
  port = await freePort();
  server = await startTestServer({ wyoming: { host: '127.0.0.1', port, apiKey: KEY } });
  owner = (await server.store.keys.findByHash(hashKey(KEY)))?.account.id ?? '';
  const spoken = await speak('hoeng1 gong2 jan4');
  speech = pcmOf(joinSounds([spoken, silence(300, spoken.sampleRateHz)], 0), 16_000);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  Object.assign(server.state, newSpeakingState());
  client = await openWyoming(port);
  return () => void client.socket.destroy();
});

const failure = async () => {
  const { data } = await client.next('error');
  await client.ended;
  return data['code'];
};
const usedSeconds = async () => (await server.store.quotas.used(owner)).stt_seconds;
const usedCharacters = async () => (await server.store.quotas.used(owner)).tts_characters;

describe('info', () => {
  it('lists models and voices with their languages as Home Assistant reads them', async () => {
    client.send('describe');
    const { data } = await client.next('info');
    const [asr] = data['asr'] as Record<string, unknown>[];
    const [tts] = data['tts'] as Record<string, unknown>[];
    const attribution = { name: expect.any(String) as string, url: expect.stringMatching(/^https:/) as string };
    const described = { attribution, description: expect.any(String) as string, version: expect.any(String) as string };
    expect(asr).toMatchObject({ name: 'jyutsing', installed: true, supports_transcript_streaming: true, ...described });
    expect(asr).toMatchObject({
      requires_external_vad: true,
      prefers_auto_gain_enabled: false,
      prefers_noise_reduction_enabled: false,
    });
    expect(asr?.['models']).toEqual([
      { ...described, name: 'test', installed: true, languages: ['yue', 'zh-HK', 'cmn', 'zh-CN', 'zh-TW'] },
      { ...described, name: 'absent', installed: false, languages: ['en'] },
    ]);
    expect(tts).toMatchObject({ name: 'jyutsing', installed: true, supports_synthesize_streaming: true, ...described });
    expect(tts?.['voices']).toEqual(
      expect.arrayContaining([
        { ...described, name: 'jasmine', installed: true, languages: ['yue', 'zh-HK'] },
        { ...described, name: 'jasmine:english', installed: true, languages: ['en'] },
      ]),
    );
    client.send('ping', { text: 'still there?' });
    expect((await client.next('pong')).data).toEqual({ text: 'still there?' });
  });
});

it.each(['', ' ', null])('the language %j means the default one, also of a voice', async (language) => {
  client.send('transcribe', { language });
  expect(await hear(client, speech)).toMatch(/^一二/);
  client.send('synthesize', { text: '早晨', voice: { name: language, language } });
  await client.next('audio-stop');
  expect(server.state.calls.at(-1)?.voice.id).toBe('jasmine');
});

it.each(['af_sky', 'zh-HK-HiuMaanNeural', 'en-US-Ava:DragonHDLatestNeural'])(
  'for the voice %s of another server the default voice speaks',
  async (name) => {
    client.send('synthesize', { text: '早晨', voice: { name } });
    await client.next('audio-stop');
    expect(server.state.calls.at(-1)?.voice.id).toBe('jasmine');
  },
);

describe('a voice command', () => {
  it('becomes text while it is spoken, then the whole text, and costs its seconds', async () => {
    const before = await usedSeconds();
    const text = await hear(client, speech);
    expect(text).toMatch(/^一二/);
    await client.next('transcript-stop');
    const types = client.types();
    expect(types[0]).toBe('transcript-start');
    expect(types.slice(-2)).toEqual(['transcript', 'transcript-stop']);
    expect(new Set(types.slice(1, -2))).toEqual(new Set(['transcript-chunk']));
    const chunks = client.events.filter(({ type }) => type === 'transcript-chunk').map(({ data }) => data['text']);
    expect(chunks.join('')).toBe(text);
    expect((await client.next('transcript')).data).toEqual({ text, language: 'yue' });
    const seconds = Math.ceil(speech.length / 32_000);
    await expect.poll(async () => (await usedSeconds()) - before).toBe(seconds);
  });

  it('may be followed by another on the same connection, and come in stereo at another rate', async () => {
    const first = await hear(client, speech);
    client.events.length = 0;
    const stereo = { rate: 8_000, width: 2, channels: 2 };
    client.send('transcribe', {});
    // Without `audio-start`, as older clients send it.
    const samples = new Int16Array(speech.buffer, speech.byteOffset, speech.length / 2);
    const both = Int16Array.from({ length: samples.length }, (_, at) => samples[at - (at % 2)]!);
    client.send('audio-chunk', stereo, Buffer.from(both.buffer));
    client.send('audio-stop');
    expect((await client.next('transcript')).data['text']).toBe(first);
  });

  it('without sound is an empty text', async () => {
    expect(await hear(client, Buffer.alloc(0))).toBe('');
    await client.next('transcript-stop');
    expect(client.types()).toEqual(['transcript-start', 'transcript', 'transcript-stop']);
  });

  it('is answered for a client that ends its side first', async () => {
    client.send('audio-chunk', PCM, speech);
    client.send('audio-stop');
    client.socket.end();
    await client.ended;
    expect(client.types().slice(-2)).toEqual(['transcript', 'transcript-stop']);
  });

  it('is heard beside another one', async () => {
    const other = await openWyoming(port);
    const texts = await Promise.all([hear(client, speech), hear(other, speech)]);
    other.socket.destroy();
    expect(texts[0]).toMatch(/^一二/);
    expect(texts[1]).toBe(texts[0]);
  });
});

describe('speech', () => {
  it('is sent while it is made, and costs its characters', async () => {
    const before = await usedCharacters();
    client.send('synthesize', { text: '早晨呀', voice: { name: 'kelvin' } });
    await client.next('audio-stop');
    expect(client.events[0]).toMatchObject({ type: 'audio-start', data: { rate: 24_000, width: 2, channels: 1 } });
    expect(client.types().filter((type) => type !== 'audio-chunk')).toEqual(['audio-start', 'audio-stop']);
    expect(soundOf(client).length).toBe(2 * 3 * CHARACTER);
    expect(server.state.calls).toMatchObject([{ voice: { id: 'kelvin' }, text: { language: 'cantonese' } }]);
    expect((await usedCharacters()) - before).toBe(3);
  });

  it.each([
    [{}, 'jasmine', 'cantonese'],
    [{ voice: null }, 'jasmine', 'cantonese'],
    [{ voice: { language: 'zh-CN' } }, 'jasmine', 'mandarin'],
    [{ voice: { name: 'kelvin:english', speaker: 'one' } }, 'kelvin', 'english'],
    [{ text: 'Good morning to all of you.' }, 'jasmine', 'english'],
    [{ text: 'Good morning to all of you.', voice: { name: 'kelvin' } }, 'kelvin', 'cantonese'],
  ])('has the voice and language of %j', async (change, voice, language) => {
    client.send('synthesize', { text: '早晨', ...change });
    await client.next('audio-stop');
    expect(server.state.calls).toMatchObject([{ voice: { id: voice }, text: { language } }]);
  });

  it('of a text in parts begins with its first sentence', async () => {
    client.send('synthesize-start', { voice: { name: 'jasmine' } });
    for (const text of ['燈已經', '熄咗。', '', '仲有']) client.send('synthesize-chunk', { text });
    await client.next('audio-chunk');
    client.send('synthesize-chunk', { text: '乜嘢呢？！' });
    client.send('synthesize', { text: '燈已經熄咗。仲有乜嘢呢？！', voice: { name: 'jasmine' } });
    client.send('synthesize-stop');
    await client.next('synthesize-stopped');
    expect(client.types().filter((type) => type !== 'audio-chunk')).toEqual([
      'audio-start',
      'audio-stop',
      'synthesize-stopped',
    ]);
    expect(server.state.calls).toHaveLength(2);
    expect(soundOf(client).length).toBe(2 * 13 * CHARACTER);
  });

  it('of SSML costs what is spoken, also in parts', async () => {
    const before = await usedCharacters();
    client.send('synthesize', { text: '<speak>早<break time="1s"/>晨</speak>' });
    await client.next('audio-stop');
    client.send('synthesize-start');
    for (const text of ['<speak', '><s>早晨。</s>', '<s>再見。</s>', '</speak>'])
      client.send('synthesize-chunk', { text });
    client.send('synthesize-stop');
    await client.next('synthesize-stopped');
    expect(
      server.state.calls.map(({ text: { parts } }) => parts.map((part) => ('text' in part ? part.text : ''))),
    ).toEqual([['早'], ['晨'], ['早晨。\n'], ['再見。']]);
    expect((await usedCharacters()) - before).toBe(8);
  });

  it('leaves out the thoughts of a language model', async () => {
    client.send('synthesize', { text: '<think>咩？</think>早晨' });
    await client.next('audio-stop');
    client.send('synthesize-start');
    for (const text of ['<think>', '佢想', '飲茶。係', '</think>', '再見。', '聽日見'])
      client.send('synthesize-chunk', { text });
    client.send('synthesize-stop');
    await client.next('synthesize-stopped');
    expect(
      server.state.calls.map(({ text: { parts } }) => parts.map((part) => ('text' in part ? part.text : ''))),
    ).toEqual([['早晨'], ['再見。'], ['聽日見']]);
  });

  it('of a text in parts without a word ends without sound', async () => {
    client.send('synthesize-start');
    client.send('synthesize-chunk', { text: '……。！' });
    client.send('synthesize-stop');
    await client.next('synthesize-stopped');
    expect(client.types()).toEqual(['synthesize-stopped']);
  });

  it('stops when the client leaves', async () => {
    server.state.paceMs = 20;
    client.send('synthesize', { text: '好'.repeat(1_000) });
    await client.next('audio-chunk');
    client.socket.destroy();
    await expect.poll(() => server.state.speaking, { timeout: 60_000 }).toBe(0);
    expect(server.state.spokenSamples).toBeLessThan(500 * CHARACTER);
  });
});

describe('an error has a code and ends the connection', () => {
  it.each([
    ['transcribe', { language: 'tlh' }, 'invalid_parameter'],
    ['transcribe', { language: 5 }, 'invalid_request'],
    ['transcribe', { language: 'en' }, 'engine_unavailable'],
    ['audio-start', { ...PCM, width: 4 }, 'invalid_request'],
    ['audio-start', { ...PCM, rate: 0 }, 'invalid_request'],
    ['audio-start', {}, 'invalid_request'],
    ['synthesize', {}, 'invalid_request'],
    ['synthesize', { text: '。。' }, 'invalid_request'],
    ['synthesize', { text: '好'.repeat(5_001) }, 'invalid_request'],
    ['synthesize', { text: '早晨', voice: { name: 'nobody' } }, 'voice_not_found'],
    ['synthesize', { text: '早晨', voice: { language: 'fr' } }, 'invalid_parameter'],
    ['synthesize-start', { voice: 'maria' }, 'invalid_request'],
  ])('%s %j', async (type, data, code) => {
    client.send(type, data);
    if (type === 'transcribe') client.send('audio-start', PCM);
    expect(await failure()).toBe(code);
  });

  it('too long a text in parts', async () => {
    client.send('synthesize-start');
    for (let part = 0; part < 6; part += 1) client.send('synthesize-chunk', { text: '好'.repeat(1_000) });
    expect(await failure()).toBe('payload_too_large');
  });

  it('a synthesizer that fails costs nothing', async () => {
    const before = await usedCharacters();
    client.send('synthesize', { text: 'UNREACHABLE' });
    expect(await failure()).toBe('upstream_unavailable');
    expect(await usedCharacters()).toBe(before);
  });

  it('a server that is not ready', async () => {
    server.state.isReady = false;
    client.send('describe');
    expect(await failure()).toBe('service_unavailable');
    server.state.isReady = true;
  });
});

it('a closing server tells its clients', async () => {
  const address = { host: '127.0.0.1', port: await freePort(), apiKey: KEY };
  const closing = await startTestServer({ wyoming: address });
  const waiting = await openWyoming(address.port);
  waiting.send('audio-chunk', PCM, speech.subarray(0, 3_200));
  waiting.send('ping');
  await waiting.next('pong');
  await closing[Symbol.asyncDispose]();
  await waiting.ended;
  expect(waiting.events.at(-1)).toMatchObject({ type: 'error', data: { code: 'service_unavailable' } });
});
