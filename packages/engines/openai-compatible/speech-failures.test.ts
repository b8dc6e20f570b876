import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { startSpeechServer, type SpeechReaction } from '#test/openai/speech-server.ts';
import { HELLO, modelOf, open, serveSpeech, synthesizeWith, envFor } from '#test/openai/synthesize-with-server.ts';
import { OWN_PITCH_HZ, measurePitch } from '#test/sung-text.ts';
import { pieceOf, requestOf, voiceOf } from '#test/synthesis-requests.ts';

const server = await serveSpeech();

const SECRETS = /sk-secret|127\.0\.0\.1|http|大家|Traceback/;

/** The cases that must time out have a short timeout; the others use a long one. */
const SHORT_TIMEOUT = { TTS_TIMEOUT_SECONDS: '0.5' };

/** Returns the error of a request, and the number of samples before it. */
async function failing(
  settings: Record<string, string> = {},
  changes: Partial<SynthesisRequest> = {},
): Promise<{ code: unknown; message: string; retryAfterSeconds: unknown; sampleCount: number }> {
  const synthesizer = await open(envFor(server, { TTS_VOICE: 'alloy', TTS_TIMEOUT_SECONDS: '30', ...settings }));
  let sampleCount = 0;
  try {
    for await (const event of synthesizer.synthesize(requestOf([HELLO], changes), new AbortController().signal)) {
      if (event.type === 'audio') sampleCount += event.samples.length;
    }
  } catch (thrown) {
    const { code, message, retryAfterSeconds } = thrown as {
      code: unknown;
      message: string;
      retryAfterSeconds: unknown;
    };
    return { code, message, retryAfterSeconds, sampleCount };
  }
  return { code: 'it did not fail', message: '', retryAfterSeconds: null, sampleCount };
}

const wav = (bytes: number[]) => Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1'), Buffer.from(bytes)]);

describe('failures before the first audio are typed errors without key, address and text', () => {
  it.each<[string, SpeechReaction, string, number | null]>([
    ['401', { kind: 'status', status: 401 }, 'engine_unavailable', null],
    ['403', { kind: 'status', status: 403 }, 'engine_unavailable', null],
    ['404', { kind: 'status', status: 404 }, 'engine_unavailable', null],
    [
      'a redirect',
      { kind: 'status', status: 302, headers: { location: 'http://a.example' } },
      'engine_unavailable',
      null,
    ],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 'service_unavailable', 7],
    ['a busy proxy', { kind: 'status', status: 503 }, 'service_unavailable', null],
    ['500', { kind: 'status', status: 500, body: 'Traceback (most recent call last)' }, 'engine_failed', null],
    ['400 for another reason', { kind: 'status', status: 400, body: 'the text 大家 is rude' }, 'engine_failed', null],
    [
      '400 with a body of a megabyte',
      { kind: 'status', status: 400, body: 'no '.repeat(400_000) },
      'engine_failed',
      null,
    ],
    [
      'JSON instead of audio',
      { kind: 'body', body: '{"error":{"message":"no"}}', type: 'application/json' },
      'engine_failed',
      null,
    ],
    [
      'JSON with an audio content type',
      { kind: 'body', body: '{ "detail": "no model loaded" }' },
      'engine_failed',
      null,
    ],
    [
      'a sign-in page',
      { kind: 'body', body: '<!doctype html><title>Sign in</title>', type: 'text/html' },
      'engine_failed',
      null,
    ],
    ['HTML with an audio content type', { kind: 'body', body: '<html><body>Bad' }, 'engine_failed', null],
    [
      'server-sent events',
      { kind: 'body', body: 'event: speech.audio.delta', type: 'text/event-stream' },
      'engine_failed',
      null,
    ],
    ['an mp3', { kind: 'body', body: 'ID3\x04\0\0\0\0\0\0\0\0\0\0\0' }, 'engine_failed', null],
    ['an empty body', { kind: 'body', body: '' }, 'engine_failed', null],
    ['a second of silence', { kind: 'body', body: Buffer.alloc(48_000) }, 'engine_failed', null],
    ['endless silence', { kind: 'endless', level: 0 }, 'engine_failed', null],
    ['a WAV without audio', { kind: 'body', body: wav([]) }, 'service_unavailable', null],
    [
      'a WAV of an unknown format',
      { kind: 'body', body: wav([...Buffer.from('fmt '), 16, 0, 0, 0, ...Array<number>(16).fill(9)]) },
      'engine_failed',
      null,
    ],
    [
      'a WAV with an endless header',
      { kind: 'body', body: wav([...Buffer.from('LIST'), 0, 0, 9, 0]) },
      'engine_failed',
      null,
    ],
    ['a reset connection', { kind: 'reset' }, 'service_unavailable', null],
    [
      'a server that closes the connection before the first audio',
      { kind: 'cut', afterBytes: 0 },
      'service_unavailable',
      null,
    ],
    ['a server that never responds', { kind: 'hang', after: 'nothing' }, 'timed_out', null],
    ['a server that sends only headers', { kind: 'hang', after: 'headers' }, 'timed_out', null],
  ])('%s', async (_name, reaction, code, retryAfterSeconds) => {
    server.behave(() => reaction);
    const failure = await failing(code === 'timed_out' ? SHORT_TIMEOUT : {});
    expect(failure).toMatchObject({ code, retryAfterSeconds, sampleCount: 0 });
    expect(failure.message).not.toMatch(SECRETS);
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('an unreachable server', async () => {
    const closedServer = await startSpeechServer();
    await closedServer.close();
    expect(await failing({ TTS_BASE_URL: closedServer.baseUrl })).toMatchObject({
      code: 'engine_unavailable',
      sampleCount: 0,
    });
  });

  it('a wrong key', async () => {
    const failure = await failing({ TTS_API_KEY: 'sk-secret-but-wrong' });
    expect(failure).toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('TTS_API_KEY') });
    expect(failure.message).not.toMatch(SECRETS);
  });
});

describe('failures during the audio are errors', () => {
  it.each([20_000, 20_001])('a connection closed after %i bytes', async (afterBytes) => {
    server.behave(() => ({ kind: 'cut', afterBytes }));
    const { code, sampleCount } = await failing();
    expect(code).toBe('service_unavailable');
    expect(sampleCount).toBeGreaterThan(5_000);
  });

  it('a WAV shorter than its declared length', async () => {
    server.behave(({ body }) => ({ kind: 'body', body: halfWav(String(body['input'])), type: 'audio/wav' }));
    expect(await failing()).toMatchObject({ code: 'service_unavailable' });
  });

  it('a server that stops sending', async () => {
    server.behave(() => ({ kind: 'hang', after: 'some-sound' }));
    const { code, sampleCount } = await failing(SHORT_TIMEOUT);
    expect(code).toBe('timed_out');
    expect(sampleCount).toBeGreaterThan(5_000);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('a server that sends far slower than real time', async () => {
    server.behave(() => ({ kind: 'drip', bytes: 101, everyMs: 100 }));
    expect(await failing(SHORT_TIMEOUT)).toMatchObject({ code: 'timed_out' });
  });

  it('endless audio', async () => {
    server.behave(() => ({ kind: 'endless', level: 0.3 }));
    const { code, sampleCount } = await failing();
    expect(code).toBe('engine_failed');
    expect(sampleCount).toBeLessThanOrEqual(30 * 24_000);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('an error for the second part of a long text', async () => {
    server.behave((_post, index) => (index === 0 ? { kind: 'sing' } : { kind: 'status', status: 502 }));
    const long = pieceOf([[Array.from({ length: 600 }, () => '長').join(' '), 'statement']]);
    await expect(synthesizeWith(envFor(server, { TTS_VOICE: 'alloy' }), [long, long])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(server.posts).toHaveLength(2);
  });
});

describe('aborted requests release the server', () => {
  it.each<[string, SpeechReaction]>([
    ['before the response', { kind: 'hang', after: 'nothing' }],
    ['before the first audio', { kind: 'hang', after: 'headers' }],
    ['while the server stalls', { kind: 'hang', after: 'some-sound' }],
    ['during streaming', { kind: 'sing', chunkBytes: 2_000, pauseMs: 50 }],
  ])('an abort %s rejects at once with its reason and closes the connection', async (_name, reaction) => {
    server.behave(() => reaction);
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const before = server.abandoned();
    const speaking = synthesizeWith(envFor(server, { TTS_VOICE: 'x' }), undefined, {}, abort.signal).catch(
      (thrown: unknown) => thrown,
    );
    await expect.poll(() => server.busy()).toBe(1);
    await sleep(20);
    const startMs = performance.now();
    abort.abort(reason);
    expect(await speaking).toBe(reason);
    expect(performance.now() - startMs).toBeLessThan(2_000);
    await expect.poll(() => server.abandoned()).toBe(before + 1);
  });

  it('an abort before the start sends no request', async () => {
    const reason = { because: 'too late' };
    await expect(synthesizeWith(envFor(server), undefined, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.posts).toHaveLength(0);
  });

  it('a consumer that stops early', async () => {
    server.behave(() => ({ kind: 'endless', level: 0.3 }));
    const synthesizer = await open(envFor(server, { TTS_VOICE: 'x' }));
    for await (const _ of synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal)) break;
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('closing aborts running requests', async () => {
    server.behave(() => ({ kind: 'hang', after: 'headers' }));
    const synthesizer = await open(envFor(server, { TTS_VOICE: 'x' }));
    const speaking = Array.fromAsync(synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal));
    await expect.poll(() => server.busy()).toBe(1);
    await Promise.all([synthesizer.close(), expect(speaking).rejects.toMatchObject({ code: 'service_unavailable' })]);
    await expect.poll(() => server.busy()).toBe(0);
  });
});

describe('a refused request is retried in another form, which is remembered', () => {
  const cloned = { voice: voiceOf(310) };
  it.each([
    ['vllm-omni-custom', {}, 'none'],
    ['openai', {}, 'none'],
    ['speaches', {}, 'reference'],
    ['localai', {}, 'reference'],
    ['vllm-omni', {}, 'reference'],
  ] as const)('%s gives audio, and its cloning capability is known from then on', async (product, settings, clones) => {
    server.imitate(product);
    const env = envFor(server, settings);
    expect(modelOf(env).capabilities.clones).toBe('reference');
    await synthesizeWith(env, undefined, cloned);
    expect(modelOf(env).capabilities.clones).toBe(clones);
    const postCount = server.posts.length;
    const audio = await synthesizeWith(env, undefined, cloned);
    expect(server.posts).toHaveLength(postCount + 1);
    const pitchHz = measurePitch(audio);
    expect(Math.abs(pitchHz - (clones === 'none' ? OWN_PITCH_HZ : 310))).toBeLessThan(6);
  });

  it('a server that requires a voice gets the default one', async () => {
    server.imitate('speaches');
    await synthesizeWith(envFor(server));
    expect(server.posts.map(({ body }) => body['voice'])).toEqual([undefined, 'alloy']);
    expect(server.posts[1]?.body).toMatchObject({ stream_format: 'audio', temperature: 0.5 });
  });

  it('a sample that a proxy refuses as too large is an error about the sample', async () => {
    server.imitate('vllm-omni');
    server.behave(() => ({ kind: 'status', status: 413, body: '<html>nginx</html>' }));
    await expect(synthesizeWith(envFor(server), undefined, cloned)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('sample'),
    });
  });

  it('an unusable sample is an error, and samples of other voices are still sent', async () => {
    server.imitate('vllm-omni');
    server.behave(() => ({
      kind: 'status',
      status: 400,
      body: '{"error":{"message":"ref_audio is too short: 1.4 s"}}',
    }));
    const env = envFor(server);
    await expect(synthesizeWith(env, undefined, cloned)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('sample'),
    });
    expect(modelOf(env).capabilities.clones).toBe('reference');
    expect(server.posts).toHaveLength(1);
  });

  it('no sample is sent when TTS_CLONES is none', async () => {
    const env = envFor(server, { TTS_CLONES: 'none', TTS_VOICE: 'x' });
    await synthesizeWith(env, undefined, cloned);
    expect(server.posts[0]?.body).not.toHaveProperty('ref_audio');
    expect(modelOf(env).capabilities.clones).toBe('none');
  });

  it('streaming is turned off for another speed when the server does not support both', async () => {
    server.imitate('vllm-omni-old');
    const env = envFor(server);
    await synthesizeWith(env, undefined, { speed: 2 });
    expect(server.posts.at(-1)?.body).toMatchObject({ speed: 2 });
    expect(server.posts.at(-1)?.body).not.toHaveProperty('stream_format');
    await synthesizeWith(env);
    expect(server.posts.at(-1)?.body).toHaveProperty('stream_format');
  });

  it('the engine changes the tempo when the server does not support speed', async () => {
    server.imitate('no-speed');
    const env = envFor(server);
    const usual = await synthesizeWith(env);
    for (const speed of [2, 0.7]) {
      const samples = await synthesizeWith(env, undefined, { speed });
      expect(Math.abs(samples.length / (usual.length / speed) - 1)).toBeLessThan(0.01);
      expect(Math.abs(measurePitch(samples) - OWN_PITCH_HZ)).toBeLessThan(6);
    }
    // The server was tried once with speed and stream, once with speed alone, and not again.
    expect(server.posts.map(({ body }) => body['speed'])).toEqual([undefined, 2, 2, undefined, undefined]);
  });

  it('WAV is requested when raw audio is refused', async () => {
    server.imitate('no-pcm');
    server.behave(() => ({ kind: 'wav' }));
    await synthesizeWith(envFor(server));
    expect(server.posts.map(({ body }) => body['response_format'])).toEqual(['pcm', 'wav']);
  });

  it('an unknown voice is an error that names TTS_VOICE', async () => {
    server.imitate('vllm-omni-custom');
    await expect(synthesizeWith(envFor(server, { TTS_VOICE: 'unknown' }))).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('TTS_VOICE'),
    });
  });
});

/** Makes a WAV with half of its declared audio. */
function halfWav(text: string): Buffer {
  const file = Buffer.alloc(44 + 20_000, text);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(40_036, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(24_000, 24);
  file.writeUInt32LE(48_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(40_000, 40);
  return file;
}
