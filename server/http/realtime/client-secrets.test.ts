import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthenticator } from '#server/http/authentication.ts';
import { hashKey } from '#server/features/accounts/api-keys.ts';
import { readClientSecret, signClientSecret } from '#server/features/accounts/client-secrets.ts';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { form, json, send, wav, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { append, openLive, pcmOf, refusal, type LiveClient } from '#testbed/clients/live-client.ts';

const PATH = '/v1/realtime?intent=transcription';
const ROUTE = '/v1/realtime/client_secrets';
const inProtocol = (secret: string) => ['realtime', `openai-insecure-api-key.${secret}`];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => void vi.useRealTimers());

const ask = (key: string, body: object = {}) => send(`${server.baseUrl}${ROUTE}`, json('POST', body, key));
const secretOf = async (key: string, body: object = {}) => {
  const answer = await ask(key, body);
  expect(answer.status).toBe(200);
  return String(answer.body['value']);
};
const agoMs = (hours: number) => Date.now() - hours * 3_600_000;
/** As a browser does. */
const open = (secret: string) => openLive(server.baseUrl, PATH, { protocols: inProtocol(secret) });
const refused = (secret: string) => refusal(server.baseUrl, PATH, {}, inProtocol(secret));
const update = async (client: LiveClient, session: object) => {
  client.send({ type: 'session.update', session });
  return (await client.next('session.updated')).session?.audio.input;
};

describe('a client secret', () => {
  it('is made by the client of OpenAI and opens sessions of a browser', async () => {
    const openai = new OpenAI({ apiKey: server.ownerKey, baseURL: `${server.baseUrl}/v1`, maxRetries: 0 });
    const made = await openai.realtime.clientSecrets.create({
      expires_after: { anchor: 'created_at', seconds: 60 },
      session: { type: 'transcription', audio: { input: { transcription: { language: 'yue' } } } },
    });
    expect(made.value).toMatch(/^ek_/);
    expect(readClientSecret(made.value)?.expiresAtSeconds).toBe(made.expires_at);
    expect(made.session).toMatchObject({
      type: 'transcription',
      object: 'realtime.transcription_session',
      audio: { input: { transcription: { language: 'yue' }, turn_detection: { type: 'server_vad' } } },
    });
    const client = await open(made.value);
    expect((await client.next('session.created')).session?.audio.input).toMatchObject({
      transcription: { language: 'yue' },
    });
    client.socket.close();
  });

  it.each([
    [{ expires_after: { anchor: 'created_at', seconds: 5 } }, 'The field "expires_after.seconds" must be at least 10.'],
    [{ session: 'x' }, 'The field "session" must be an object.'],
  ])('is not made with %j', async (body, message) => {
    expect(await ask(server.ownerKey, body)).toMatchObject({ body: { success: false, message } });
  });

  it('keeps what its maker set, and leaves the rest to the browser', async () => {
    const set = { transcription: { language: 'yue', prompt: '茶樓' }, turn_detection: { type: 'semantic_vad' } };
    const client = await open(await secretOf(server.ownerKey, { session: { audio: { input: set } } }));
    const input = await update(client, {
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          transcription: { language: 'en', prompt: null, keywords: ['蝦餃'] },
          turn_detection: null,
        },
      },
    });
    expect(input).toMatchObject({
      format: { type: 'audio/pcmu' },
      transcription: { language: 'yue', prompt: '茶樓', keywords: ['蝦餃'] },
      turn_detection: { type: 'semantic_vad' },
    });
    client.socket.close();
  });

  it('opens sessions until it expires, and those that are open go on', async () => {
    const { key, keyId } = await server.newAccount('pro');
    const now = Math.floor(Date.now() / 1_000);
    const expiresAtSeconds = now + 60;
    const secret = signClientSecret({ keyId, expiresAtSeconds, session: {} }, hashKey(key));
    const clients = [await open(secret), await open(secret)];
    vi.setSystemTime(expiresAtSeconds * 1_000);
    expect(await refused(secret)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key', message: 'This client secret has expired; make another one.' } },
    });
    for (const client of clients) {
      // The key is looked up again with every ten seconds of sound.
      append(client, Buffer.alloc(48_000 * 12));
      await update(client, {});
      expect(client.all('error')).toEqual([]);
      client.socket.close();
      expect((await client.closed).code).toBe(1005);
    }
  });

  it('that was forged or changed is refused', async () => {
    const { keyId } = await server.newAccount('pro');
    const forged = signClientSecret({ keyId, expiresAtSeconds: 9_999_999_999, session: {} }, hashKey('a guess'));
    const real = await secretOf(server.ownerKey);
    const [content, signature] = real.split('.') as [string, string];
    const longer = signClientSecret({ ...readClientSecret(real)!, expiresAtSeconds: 9_999_999_999 }, '');
    const secrets = [
      forged,
      `${longer.split('.')[0]}.${signature}`,
      content,
      `${content}.${signature.slice(1)}`,
      'ek_.',
      'ek_bm8.bm8',
    ];
    for (const secret of secrets) {
      expect(await refused(secret)).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    }
  });

  it('ends with the key that made it, also in a session that is open', async () => {
    const { key, keyId } = await server.newAccount('pro');
    const secret = await secretOf(key);
    const client = await open(secret);
    await server.store.keys.revoke(keyId);
    expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
    expect(await refused(secret)).toMatchObject({ status: 401 });
  });

  it('keeps a session open for two hours at most, unlike an API key', async () => {
    const secret = await secretOf(server.ownerKey);
    const { confirm } = createAuthenticator({ store: server.store, config: { isLocal: true } as never });
    await confirm(secret, agoMs(1.9));
    await confirm(server.ownerKey, agoMs(200));
    const refusal = { code: 'invalid_api_key', message: expect.stringContaining('two hours') as string };
    await expect(confirm(secret, agoMs(2.1))).rejects.toMatchObject(refusal);
  });

  it('of a blocked account is refused', async () => {
    const { id, key } = await server.newAccount('pro');
    const secret = await secretOf(key);
    await server.store.accounts.update(id, { blocked: true });
    expect(await refused(secret)).toMatchObject({ status: 401, body: { error: { code: 'account_blocked' } } });
  });

  it('opens live sessions and nothing else', async () => {
    const secret = await secretOf(server.ownerKey);
    const url = (path: string) => `${server.baseUrl}${path}`;
    const answers = await Promise.all([
      send(url('/api/usage'), withKey(secret)),
      send(url('/api/voices'), withKey(secret)),
      send(url('/api/admin/accounts'), json('POST', { name: 'mine', plan: 'pro' }, secret)),
      send(url('/api/stt'), form(['api_key', secret], ['data', wav(1)])),
      send(url('/v1/audio/transcriptions'), {
        ...form(['file', wav(1)]),
        headers: { authorization: `Bearer ${secret}` },
      }),
      ask(secret),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: { code: 'insufficient_scope' } });
    }
    const recording = { method: 'POST', body: wav(1), headers: { authorization: `Token ${secret}` } };
    expect((await send(url('/v1/listen'), recording)).status).toBe(403);
  });

  it('opens /v1/listen too, in a header or as the client of Deepgram in a browser sends it', async () => {
    const session = { audio: { input: { transcription: { language: 'yue' } } } };
    const secret = await secretOf(server.ownerKey, { session });
    const path = '/v1/listen?encoding=linear16';
    for (const options of [
      { key: secret },
      { headers: { authorization: `Token ${secret}` } },
      { protocols: ['token', secret] },
      { protocols: ['bearer', secret] },
    ]) {
      const client = await openLive(server.baseUrl, path, options);
      // The others that were offered contain the secret.
      expect(client.socket.protocol).toBe(options.protocols?.[0] ?? '');
      client.send({ type: 'CloseStream' });
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
    }
    expect((await refusal(server.baseUrl, path, {}, ['token', `${secret}x`])).status).toBe(401);
  });

  it('keeps on /v1/listen what its maker set', async () => {
    const spoken = pcmOf(await speak('hoeng1 gong2 jan4'), 16_000);
    const session = { audio: { input: { turn_detection: null } } };
    const client = await openLive(server.baseUrl, '/v1/listen?encoding=linear16&vad_events=true&language=yue', {
      protocols: ['token', await secretOf(server.ownerKey, { session })],
    });
    client.socket.send(Buffer.concat([spoken, Buffer.alloc(32_000), spoken]));
    client.send({ type: 'CloseStream' });
    await client.closed;
    expect(client.events.map(({ type }) => type)).toEqual(['Results', 'Metadata']);
  });

  it('counts for the account: requests, concurrent sessions and seconds', async () => {
    const one = await server.newAccount('one-at-a-time');
    const secret = await secretOf(one.key);
    const client = await open(secret);
    expect(await refused(secret)).toMatchObject({ status: 429, body: { error: { code: 'concurrency_exceeded' } } });
    append(client, Buffer.alloc(48_000 * 3));
    await expect.poll(async () => (await server.store.quotas.used(one.id)).stt_seconds).toBe(10);
    client.socket.close();
    await expect.poll(async () => (await server.store.quotas.used(one.id)).stt_seconds).toBe(3);

    const slow = await server.newAccount('slow');
    const other = await secretOf(slow.key);
    for (let left = 2; left > 0; left -= 1) (await open(other)).socket.close();
    expect(await refused(other)).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
  });
});

describe('asking for a client secret', () => {
  it('lasts ten minutes without another wish', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const answer = await ask(server.ownerKey, { session: null, expires_after: null });
    const left = Number(answer.body['expires_at']) - before;
    expect([600, 601, 602]).toContain(left);
  });

  it.each([
    ['too short a time', { expires_after: { seconds: 9 } }, 400],
    ['too long a time', { expires_after: { seconds: 7_201 } }, 400],
    ['another anchor', { expires_after: { anchor: 'midnight' } }, 400],
    ['a session that is none', { session: 'transcription' }, 400],
    ['a bad rate', { session: { audio: { input: { format: { type: 'audio/pcm', rate: 1 } } } } }, 422],
    [
      'a session too large for a header',
      { session: { audio: { input: { transcription: { prompt: '字'.repeat(3_000) } } } } },
      422,
    ],
  ])('with %s is refused', async (_name, body, status) => {
    expect((await ask(server.ownerKey, body)).status).toBe(status);
  });

  it('needs a key with the scope stt', async () => {
    const { key } = await server.newAccount('pro', ['tts']);
    expect((await ask(key)).status).toBe(403);
    expect((await send(`${server.baseUrl}${ROUTE}`, json('POST', {}))).status).toBe(401);
  });
});
