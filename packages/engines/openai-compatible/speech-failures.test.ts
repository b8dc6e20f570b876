import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { startSpeechServer, type SpeechServer, type SpeechReaction } from '#test/openai/speech-server.ts';
import { HELLO, modelOf, open, SPEECH_KEY, synthesizeWith, envFor } from '#test/openai/synthesize-with-server.ts';
import { OWN_PITCH_HZ, pitchHeard } from '#test/sung-text.ts';
import { pieceOf, requestOf, voiceOf } from '#test/synthesis-requests.ts';

let server: SpeechServer;
beforeAll(async () => {
  server = await startSpeechServer(SPEECH_KEY);
});
afterAll(() => server.close());
beforeEach(() => {
  server.flavour('speaches');
  server.behave(() => ({ kind: 'sing' }));
  server.posts.length = 0;
});

const SECRETS = /sk-secret|127\.0\.0\.1|http|大家|Traceback/;

/** Where a server must be found late; elsewhere none may be, whatever else the machine does. */
const HASTY = { TTS_TIMEOUT_SECONDS: '0.5' };

/** What a request gives until it fails, and how it fails. */
async function failing(
  settings: Record<string, string> = {},
  changes: Partial<SynthesisRequest> = {},
): Promise<{ code: unknown; message: string; retryAfterSeconds: unknown; heard: number }> {
  const synthesizer = await open(envFor(server, { TTS_VOICE: 'alloy', TTS_TIMEOUT_SECONDS: '30', ...settings }));
  let heard = 0;
  try {
    for await (const event of synthesizer.synthesize(requestOf([HELLO], changes), new AbortController().signal)) {
      if (event.type === 'audio') heard += event.samples.length;
    }
  } catch (thrown) {
    const { code, message, retryAfterSeconds } = thrown as {
      code: unknown;
      message: string;
      retryAfterSeconds: unknown;
    };
    return { code, message, retryAfterSeconds, heard };
  }
  return { code: 'it ended as if nothing had happened', message: '', retryAfterSeconds: null, heard };
}

const wav = (bytes: number[]) => Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1'), Buffer.from(bytes)]);

describe('failures before the first sound are typed, and tell neither key nor address nor text', () => {
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
    [
      '400 for a reason of its own',
      { kind: 'status', status: 400, body: 'the text 大家 is rude' },
      'engine_failed',
      null,
    ],
    ['400 of a megabyte', { kind: 'status', status: 400, body: 'no '.repeat(400_000) }, 'engine_failed', null],
    [
      'JSON in place of sound',
      { kind: 'body', body: '{"error":{"message":"no"}}', type: 'application/json' },
      'engine_failed',
      null,
    ],
    ['JSON that calls itself sound', { kind: 'body', body: '{ "detail": "no model loaded" }' }, 'engine_failed', null],
    [
      'a page to sign in',
      { kind: 'body', body: '<!doctype html><title>Sign in</title>', type: 'text/html' },
      'engine_failed',
      null,
    ],
    ['a page that calls itself sound', { kind: 'body', body: '<html><body>Bad' }, 'engine_failed', null],
    ['events', { kind: 'body', body: 'event: speech.audio.delta', type: 'text/event-stream' }, 'engine_failed', null],
    ['an mp3', { kind: 'body', body: 'ID3\x04\0\0\0\0\0\0\0\0\0\0\0' }, 'engine_failed', null],
    ['nothing', { kind: 'body', body: '' }, 'engine_failed', null],
    ['a second of silence', { kind: 'body', body: Buffer.alloc(48_000) }, 'engine_failed', null],
    ['silence without end', { kind: 'endless', level: 0 }, 'engine_failed', null],
    ['a WAV without sound', { kind: 'body', body: wav([]) }, 'service_unavailable', null],
    [
      'a WAV of no known kind',
      { kind: 'body', body: wav([...Buffer.from('fmt '), 16, 0, 0, 0, ...Array<number>(16).fill(9)]) },
      'engine_failed',
      null,
    ],
    [
      'a WAV whose header has no end',
      { kind: 'body', body: wav([...Buffer.from('LIST'), 0, 0, 9, 0]) },
      'engine_failed',
      null,
    ],
    ['a reset connection', { kind: 'reset' }, 'service_unavailable', null],
    ['a server that dies before its first sound', { kind: 'cut', afterBytes: 0 }, 'service_unavailable', null],
    ['a server that never answers', { kind: 'hang', after: 'nothing' }, 'timed_out', null],
    ['a server that answers and then says nothing', { kind: 'hang', after: 'headers' }, 'timed_out', null],
  ])('%s', async (_name, reaction, code, retryAfterSeconds) => {
    server.behave(() => reaction);
    const failure = await failing(code === 'timed_out' ? HASTY : {});
    expect(failure).toMatchObject({ code, retryAfterSeconds, heard: 0 });
    expect(failure.message).not.toMatch(SECRETS);
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('nobody at the address', async () => {
    const gone = await startSpeechServer();
    await gone.close();
    expect(await failing({ TTS_BASE_URL: gone.baseUrl })).toMatchObject({
      code: 'engine_unavailable',
      heard: 0,
    });
  });

  it('a key that the server does not know', async () => {
    const failure = await failing({ TTS_API_KEY: 'sk-secret-but-wrong' });
    expect(failure).toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('TTS_API_KEY') });
    expect(failure.message).not.toMatch(SECRETS);
  });
});

describe('failures in the middle are never a clean end', () => {
  it.each([20_000, 20_001])('a server that dies after %i bytes', async (afterBytes) => {
    server.behave(() => ({ kind: 'cut', afterBytes }));
    const { code, heard } = await failing();
    expect(code).toBe('service_unavailable');
    expect(heard).toBeGreaterThan(5_000);
  });

  it('a WAV that is shorter than it says', async () => {
    server.behave(({ body }) => ({ kind: 'body', body: halfWav(String(body['input'])), type: 'audio/wav' }));
    expect(await failing()).toMatchObject({ code: 'service_unavailable' });
  });

  it('a server that falls silent on the line', async () => {
    server.behave(() => ({ kind: 'hang', after: 'some-sound' }));
    const { code, heard } = await failing(HASTY);
    expect(code).toBe('timed_out');
    expect(heard).toBeGreaterThan(5_000);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('a server that gives a little now and then, which would take for ever', async () => {
    server.behave(() => ({ kind: 'drip', bytes: 101, everyMs: 100 }));
    expect(await failing(HASTY)).toMatchObject({ code: 'timed_out' });
  });

  it('sound without end', async () => {
    server.behave(() => ({ kind: 'endless', level: 0.3 }));
    const { code, heard } = await failing();
    expect(code).toBe('engine_failed');
    expect(heard).toBeLessThanOrEqual(30 * 24_000);
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('the second part of a long text', async () => {
    server.behave((_post, index) => (index === 0 ? { kind: 'sing' } : { kind: 'status', status: 502 }));
    const long = pieceOf([[Array.from({ length: 600 }, () => '長').join(' '), 'statement']]);
    await expect(synthesizeWith(envFor(server, { TTS_VOICE: 'alloy' }), [long, long])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(server.posts).toHaveLength(2);
  });
});

describe('who leaves frees the server', () => {
  it.each<[string, SpeechReaction]>([
    ['before an answer', { kind: 'hang', after: 'nothing' }],
    ['before a sound', { kind: 'hang', after: 'headers' }],
    ['in the middle', { kind: 'hang', after: 'some-sound' }],
    ['in a stream', { kind: 'sing', chunkBytes: 2_000, pauseMs: 50 }],
  ])('an abort %s ends at once with its reason, and the connection is closed', async (_name, reaction) => {
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

  it('an abort before anything asks nobody', async () => {
    const reason = { because: 'too late' };
    await expect(synthesizeWith(envFor(server), undefined, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.posts).toHaveLength(0);
  });

  it('a listener that stops listening', async () => {
    server.behave(() => ({ kind: 'endless', level: 0.3 }));
    const synthesizer = await open(envFor(server, { TTS_VOICE: 'x' }));
    for await (const _ of synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal)) break;
    await expect.poll(() => server.busy()).toBe(0);
  });

  it('closing ends what is under way', async () => {
    server.behave(() => ({ kind: 'hang', after: 'headers' }));
    const synthesizer = await open(envFor(server, { TTS_VOICE: 'x' }));
    const speaking = Array.fromAsync(synthesizer.synthesize(requestOf([HELLO]), new AbortController().signal));
    await expect.poll(() => server.busy()).toBe(1);
    await Promise.all([synthesizer.close(), expect(speaking).rejects.toMatchObject({ code: 'service_unavailable' })]);
    await expect.poll(() => server.busy()).toBe(0);
  });
});

describe('what a server refuses is asked otherwise, and not asked again', () => {
  const cloned = { voice: voiceOf(310) };
  it.each([
    ['vllm-omni-custom', {}, 'none'],
    ['openai', {}, 'none'],
    ['speaches', {}, 'reference'],
    ['localai', {}, 'reference'],
    ['vllm-omni', {}, 'reference'],
  ] as const)('%s speaks; whether it clones is told from then on', async (flavour, settings, clones) => {
    server.flavour(flavour);
    const env = envFor(server, settings);
    expect(modelOf(env).capabilities.clones).toBe('reference');
    await synthesizeWith(env, undefined, cloned);
    expect(modelOf(env).capabilities.clones).toBe(clones);
    const asked = server.posts.length;
    const again = await synthesizeWith(env, undefined, cloned);
    expect(server.posts).toHaveLength(asked + 1);
    const heard = pitchHeard(again);
    expect(Math.abs(heard - (clones === 'none' ? OWN_PITCH_HZ : 310))).toBeLessThan(6);
  });

  it('a server that needs a voice is given the usual one', async () => {
    server.flavour('speaches');
    await synthesizeWith(envFor(server));
    expect(server.posts.map(({ body }) => body['voice'])).toEqual([undefined, 'alloy']);
    expect(server.posts[1]?.body).toMatchObject({ stream_format: 'audio', temperature: 0.5 });
  });

  it('a sample that is too large for a proxy on the way is told', async () => {
    server.flavour('vllm-omni');
    server.behave(() => ({ kind: 'status', status: 413, body: '<html>nginx</html>' }));
    await expect(synthesizeWith(envFor(server), undefined, cloned)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('sample'),
    });
  });

  it('a sample that the server cannot use is told, and samples are still sent for other voices', async () => {
    server.flavour('vllm-omni');
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

  it('samples are kept back where the operator says so', async () => {
    const env = envFor(server, { TTS_CLONES: 'none', TTS_VOICE: 'x' });
    await synthesizeWith(env, undefined, cloned);
    expect(server.posts[0]?.body).not.toHaveProperty('ref_audio');
    expect(modelOf(env).capabilities.clones).toBe('none');
  });

  it('another speed is asked for without streaming where both do not go together', async () => {
    server.flavour('vllm-omni-old');
    const env = envFor(server);
    await synthesizeWith(env, undefined, { speed: 2 });
    expect(server.posts.at(-1)?.body).toMatchObject({ speed: 2 });
    expect(server.posts.at(-1)?.body).not.toHaveProperty('stream_format');
    await synthesizeWith(env);
    expect(server.posts.at(-1)?.body).toHaveProperty('stream_format');
  });

  it('the sound of a server without speed is brought to it here', async () => {
    server.flavour('no-speed');
    const env = envFor(server);
    const usual = await synthesizeWith(env);
    for (const speed of [2, 0.7]) {
      const samples = await synthesizeWith(env, undefined, { speed });
      expect(Math.abs(samples.length / (usual.length / speed) - 1)).toBeLessThan(0.01);
      expect(Math.abs(pitchHeard(samples) - OWN_PITCH_HZ)).toBeLessThan(6);
    }
    // Asked once for speed with a stream, once for speed alone, and not again.
    expect(server.posts.map(({ body }) => body['speed'])).toEqual([undefined, 2, 2, undefined, undefined]);
  });

  it('a server without raw sound is asked for a WAV', async () => {
    server.flavour('no-pcm');
    server.behave(() => ({ kind: 'wav' }));
    await synthesizeWith(envFor(server));
    expect(server.posts.map(({ body }) => body['response_format'])).toEqual(['pcm', 'wav']);
  });

  it('a voice that the server does not have is the operator’s to mend', async () => {
    server.flavour('vllm-omni-custom');
    await expect(synthesizeWith(envFor(server, { TTS_VOICE: 'nobody' }))).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('TTS_VOICE'),
    });
  });
});

/** A WAV whose header promises twice what follows. */
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
