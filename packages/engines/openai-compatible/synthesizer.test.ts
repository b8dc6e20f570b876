import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startSpeechServer } from '#test/openai/speech-server.ts';
import {
  HELLO,
  modelOf,
  open,
  serveSpeech,
  SPEECH_KEY,
  synthesizeWith,
  envFor,
} from '#test/openai/synthesize-with-server.ts';
import { OWN_PITCH_HZ, measurePitch, singText } from '#test/sung-text.ts';
import { pieceOf, requestOf, soundOf, voiceOf } from '#test/synthesis-requests.ts';
import { engine } from './synthesizer.ts';

const server = await serveSpeech();

const sung = (text: string, changes: { pitchHz?: number; speed?: number } = {}) =>
  singText(text, { pitchHz: OWN_PITCH_HZ, ...changes });
const bodyAt = (index: number) => server.posts.at(index)?.body ?? {};
const seconds = (samples: Float32Array) => samples.length / 24_000;

describe('the request', () => {
  it('has the spoken form of the text, model, key and sampling parameters', async () => {
    await synthesizeWith(envFor(server, { TTS_MODEL: 'hexgrad/Kokoro', TTS_VOICE: 'zf_xiaobei' }), undefined, {
      temperature: 0.3,
      topP: 0.8,
      seed: 42,
    });
    expect(server.posts).toHaveLength(1);
    expect(server.posts[0]).toMatchObject({ path: '/v1/audio/speech', authorization: `Bearer ${SPEECH_KEY}` });
    expect(bodyAt(0)).toEqual({
      model: 'hexgrad/Kokoro',
      input: '大家早晨呀。',
      voice: 'zf_xiaobei',
      response_format: 'pcm',
      stream_format: 'audio',
      sample_rate: 24_000,
      temperature: 0.3,
      top_p: 0.8,
      seed: 42,
      language: 'Cantonese',
    });
  });

  it('names the language, unless the server refuses it', async () => {
    const env = envFor(server, { TTS_VOICE: 'vivian' });
    await synthesizeWith(env, undefined, { language: 'mandarin' });
    expect(bodyAt(-1)).toMatchObject({ language: 'Chinese' });
    server.imitate('qwen3-tts');
    await synthesizeWith(env);
    expect(server.posts.map(({ body }) => body['language'])).toEqual(['Chinese', 'Cantonese', undefined]);
  });

  it('has no model without TTS_MODEL; a server that needs one is a setting of the operator', async () => {
    await synthesizeWith(envFor(server, { TTS_MODEL: '' }));
    expect(bodyAt(-1)).not.toHaveProperty('model');
    server.imitate('openai');
    await expect(synthesizeWith(envFor(server, { TTS_MODEL: '', TTS_VOICE: 'nova' }))).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('must set TTS_MODEL'),
    });
  });

  it('claims no Cantonese unless TTS_LANGUAGES says so', () => {
    expect(modelOf(envFor(server, { TTS_LANGUAGES: '' })).capabilities.languages).toEqual({
      mandarin: 90,
      english: 95,
    });
  });

  it('accepts a base URL without /v1, and sends no key when none is set', async () => {
    const open = await startSpeechServer();
    const settings = { TTS_BASE_URL: `${open.baseUrl.slice(0, -3)}/`, TTS_API_KEY: '' };
    await synthesizeWith(envFor(server, settings));
    expect(open.posts.at(-1)).toMatchObject({ path: '/v1/audio/speech', authorization: null });
    await open.close();
  });

  it('has the voice sample with its transcript, which determines the voice', async () => {
    server.imitate('vllm-omni');
    const samples = await synthesizeWith(envFor(server), undefined, { voice: voiceOf(310, '你食咗飯未呀') });
    expect(bodyAt(0)).toMatchObject({
      ref_text: '你食咗飯未呀',
      ref_audio: expect.stringMatching(/^data:audio\/wav;base64,UklGR/),
    });
    expect(bodyAt(0)).not.toHaveProperty('voice');
    expect(Math.abs(measurePitch(samples) - 310)).toBeLessThan(5);
  });

  it('has a voice sample without a transcript', async () => {
    server.imitate('vllm-omni');
    const env = envFor(server);
    const samples = await synthesizeWith(env, undefined, { voice: voiceOf(310, null) });
    expect(Math.abs(measurePitch(samples) - 310)).toBeLessThan(5);
    expect(bodyAt(-1)).toMatchObject({ x_vector_only_mode: true });
    await synthesizeWith(env, undefined, { voice: voiceOf(310, null) });
    expect(server.posts).toHaveLength(3);
  });

  it('has the Cantonese instructions only for Cantonese', async () => {
    const env = envFor(server, { TTS_CANTONESE_INSTRUCTIONS: '用廣東話講' });
    await synthesizeWith(env);
    expect(bodyAt(-1)).toMatchObject({ instructions: '用廣東話講' });
    await synthesizeWith(env, undefined, { language: 'mandarin' });
    expect(bodyAt(-1)).not.toHaveProperty('instructions');
  });

  it('is split at sentence ends for a long text, whose audio is joined', async () => {
    const sentence = pieceOf([[Array.from({ length: 39 }, () => '長').join(' '), 'statement']]);
    const samples = await synthesizeWith(
      envFor(server),
      Array.from({ length: 60 }, () => sentence),
    );
    const texts = server.posts.slice(1).map(({ body }) => String(body['input']));
    expect(texts.map((text) => text.length)).toEqual([1_000, 1_000, 400]);
    expect(texts.every((text) => text.endsWith('。'))).toBe(true);
    expect(samples).toEqual(expect.any(Float32Array));
    expect(samples.length).toBe(sung(texts.join('')).length);
  });
});

describe('the audio', () => {
  it.each([1, 2, 3, 4_097, 100_000])('is the same in chunks of %i bytes', async (chunkBytes) => {
    server.behave(() => ({ kind: 'sing', chunkBytes }));
    const samples = await synthesizeWith(envFor(server), [pieceOf([['早 晨', 'statement']])]);
    const expectedSound = sung('早晨。');
    expect(samples.length).toBe(expectedSound.length);
    expect(samples.every((sample, i) => Math.abs(sample - (expectedSound[i] ?? 9)) < 1e-4)).toBe(true);
  });

  it('is streamed while the server still sends', async () => {
    server.behave(() => ({ kind: 'sing', chunkBytes: 4_800, pauseMs: 60 }));
    const synthesizer = await open(envFor(server));
    const startMs = performance.now();
    const times: number[] = [];
    for await (const event of synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal)) {
      if (event.type === 'audio') times.push(performance.now() - startMs);
    }
    expect(times.length).toBeGreaterThan(6);
    expect(times[0]).toBeLessThan((times.at(-1) ?? 0) / 2);
  });

  it.each([
    ['16 kHz as requested', 'speaches', { TTS_SAMPLE_RATE: '16000' }],
    ['24 kHz of a server that ignores sample_rate', 'openai', {}],
  ] as const)('%s has the right duration and pitch', async (_name, product, settings) => {
    server.imitate(product);
    const samples = await synthesizeWith(envFor(server, settings));
    expect(Math.abs(seconds(samples) - seconds(sung('大家早晨呀。')))).toBeLessThan(0.01);
    expect(Math.abs(measurePitch(samples) - OWN_PITCH_HZ)).toBeLessThan(4);
  });

  it('uses the sample rate in the content type', async () => {
    const pcm = Buffer.from(
      Int16Array.from(singText('早晨', { pitchHz: 220, sampleRateHz: 48_000 }), (x) => x * 32_000).buffer,
    );
    server.behave(() => ({ kind: 'body', body: pcm, type: 'audio/pcm; rate=48000; channels=1' }));
    const samples = await synthesizeWith(envFor(server));
    expect(Math.abs(seconds(samples) - 0.36)).toBeLessThan(0.01);
    expect(Math.abs(measurePitch(samples) - 220)).toBeLessThan(4);
  });

  it.each([
    ['with a length', { kind: 'wav' }],
    ['without a length', { kind: 'wav', declared: false }],
    ['of another sample rate', { kind: 'wav', sampleRateHz: 44_100 }],
  ] as const)('is decoded from a WAV %s', async (_name, reaction) => {
    server.behave(() => reaction);
    const samples = await synthesizeWith(envFor(server));
    expect(Math.abs(seconds(samples) - seconds(sung('大家早晨呀。')))).toBeLessThan(0.01);
    expect(Math.abs(measurePitch(samples) - OWN_PITCH_HZ)).toBeLessThan(4);
  });

  it('has the speed that the server applied', async () => {
    const env = envFor(server);
    const samples = await synthesizeWith(env, undefined, { speed: 1.5 });
    expect(bodyAt(-1)).toMatchObject({ speed: 1.5 });
    expect(Math.abs(seconds(samples) - seconds(sung('大家早晨呀。')) / 1.5)).toBeLessThan(0.02);
    expect(Math.abs(measurePitch(samples) - OWN_PITCH_HZ)).toBeLessThan(4);
  });

  it('is read no faster than it is consumed', async () => {
    server.behave(() => ({ kind: 'endless', level: 0.5 }));
    const before = server.sentBytes();
    const synthesizer = await open(envFor(server));
    const iterator = synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal)[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(300);
    const sentBytes = server.sentBytes() - before;
    await sleep(700);
    // The server only filled the buffers of the socket.
    expect(server.sentBytes() - before).toBe(sentBytes);
    await iterator.return?.();
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('is a tenth of a second of silence for punctuation only, without a request', async () => {
    const samples = await synthesizeWith(envFor(server), [pieceOf([['……', 'ellipsis']])]);
    expect([samples.length, server.posts.length]).toEqual([2_400, 0]);
  });

  it('is independent for concurrent texts', async () => {
    server.behave(() => ({ kind: 'sing', chunkBytes: 999, pauseMs: 1 }));
    server.imitate('vllm-omni');
    const env = envFor(server);
    const sounds = await Promise.all(
      [150, 400].map((pitch) => synthesizeWith(env, undefined, { voice: voiceOf(pitch) })),
    );
    expect(sounds.map((samples) => Math.round(measurePitch(samples) / 10))).toEqual([15, 40]);
  });
});

describe('the model', () => {
  it('is unavailable without a server, and the reason names the variable', async () => {
    const env = { builtinModelsDir: '', modelsDir: '', settings: {} };
    expect(modelOf(env).availability).toEqual({ available: false, reason: 'TTS_BASE_URL is not set' });
    await expect(open(env)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it.each([
    ['TTS_BASE_URL', 'ftp://a.example'],
    ['TTS_BASE_URL', 'http://user:secret@a.example'],
    ['TTS_SAMPLE_RATE', '4000'],
    ['TTS_SAMPLE_RATE', 'high'],
    ['TTS_TIMEOUT_SECONDS', '0'],
    ['TTS_LANGUAGES', 'cantonese=101'],
    ['TTS_LANGUAGES', 'klingon=50'],
    ['TTS_CLONES', 'perhaps'],
  ])('an invalid %s is named without its value: %s', (name, value) => {
    const { availability } = modelOf(envFor(server, { [name]: value }));
    expect(availability).toEqual({ available: false, reason: `invalid value of ${name}` });
  });

  it('has the languages of TTS_LANGUAGES, and a version that changes with the settings', () => {
    const variables = { TTS_MODEL: 'a/b c' };
    const model = modelOf(envFor(server, { ...variables, TTS_LANGUAGES: 'mandarin=97' }));
    expect(model.capabilities.languages).toEqual({ mandarin: 97 });
    const versions = [{}, { TTS_VOICE: 'x' }, { TTS_MODEL: 'other' }, { TTS_BASE_URL: 'http://other.example' }].map(
      (change) => modelOf(envFor(server, { ...variables, ...change })).version,
    );
    expect(new Set(versions).size).toBe(4);
    expect(versions[0]).toMatch(/^1-a-b-c-[0-9a-f]{8}$/);
  });

  it('is refused under an unknown name', async () => {
    await expect(engine.open(envFor(server), 'tts-1')).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('has events of at most a quarter of a second', async () => {
    server.behave(() => ({ kind: 'wav', sampleRateHz: 44_100 }));
    const synthesizer = await open(envFor(server));
    const events = await Array.fromAsync(synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal));
    expect(events.every((event) => event.type === 'audio' && event.samples.length <= 6_000)).toBe(true);
    expect(soundOf(events).length).toBeGreaterThan(24_000);
  });
});
