import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refusedEvents } from '#http/throttle.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { silence, type Sound } from '#testbed/sound/audio.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { append, openLive, pcmOf, refusal as refusalOf, type LiveClient } from '#testbed/clients/live-client.ts';

const PATH = '/v1/realtime?intent=transcription';
const STARTED = 'input_audio_buffer.speech_started';
const STOPPED = 'input_audio_buffer.speech_stopped';
const COMMITTED = 'input_audio_buffer.committed';
const DELTA = 'conversation.item.input_audio_transcription.delta';
const COMPLETED = 'conversation.item.input_audio_transcription.completed';

let server: TestServer;
let sound: Sound;
let sentence: Buffer;
let sentences: Buffer;

beforeAll(async () => {
  server = await startTestServer();
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  sound = joinSounds([pause, spoken, pause], 0);
  sentence = pcmOf(sound, 24_000);
  sentences = Buffer.concat([sentence, sentence]);
});
afterAll(() => server[Symbol.asyncDispose]());

const connect = (key = server.ownerKey) => openLive(server.baseUrl, PATH, { key });
const configure = async (client: LiveClient, session: object) => {
  client.send({ type: 'session.update', session: { type: 'transcription', ...session } });
  return client.next('session.updated');
};
const CANTONESE = { language: 'yue' };
const manual = (client: LiveClient) =>
  configure(client, { audio: { input: { transcription: CANTONESE, turn_detection: null } } });
/** A session for Cantonese with turn detection. */
async function listen(key = server.ownerKey): Promise<LiveClient> {
  const client = await connect(key);
  await configure(client, { audio: { input: { transcription: CANTONESE } } });
  return client;
}
const refusal = (path: string, headers: Record<string, string>, protocols: string[] = []) =>
  refusalOf(server.baseUrl, path, headers, protocols);
/** A client that leaves at once; null when it is refused. */
const tryToConnect = async (key: string) => {
  const client = await connect(key).catch(() => null);
  client?.socket.terminate();
  return client;
};
const usedSeconds = async (accountId: string) => (await server.store.quotas.used(accountId)).stt_seconds;

describe('a transcription session', () => {
  it('sends its configuration first, and after each update the whole of it', async () => {
    const client = await connect();
    const created = await client.next('session.created');
    expect(client.events[0]).toBe(created);
    expect(created.session).toMatchObject({
      type: 'transcription',
      audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad' } } },
    });
    const updated = await configure(client, {
      audio: { input: { transcription: { model: 'nobody-has-this', language: 'yue', sparkle: 1 } } },
    });
    expect(updated.session?.audio.input).toMatchObject({
      transcription: { model: 'nobody-has-this', language: 'yue' },
      turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
    });
    client.socket.close();
  });

  it('goes on without a language that it does not know, and says so', async () => {
    const client = await connect();
    const updated = await configure(client, {
      audio: { input: { transcription: { language: 'xx', languages: ['fr', 'yue'] } } },
    });
    expect(updated.session?.audio.input['transcription']).toEqual({ language: null, languages: ['yue'] });
    append(client, sentence);
    expect((await client.next(COMPLETED)).transcript).toMatch(/^一二/);
    expect(client.all('error')).toEqual([]);
    client.socket.close();
  });

  it('finds speech and sends its text as it grows, then the whole of it', async () => {
    const client = await listen();
    append(client, sentences);
    await expect.poll(() => client.all(COMPLETED).length, { timeout: 60_000 }).toBe(2);
    const [first, second] = client.all(COMMITTED);
    expect(first).toMatchObject({ previous_item_id: null });
    expect(second).toMatchObject({ previous_item_id: first?.item_id });
    for (const [at, completed] of client.all(COMPLETED).entries()) {
      const segmentEvents = client.events.filter(
        (event) => event.item_id === completed.item_id || event.item?.id === completed.item_id,
      );
      const types = segmentEvents.map(({ type }) => type);
      expect(types.filter((type) => type !== DELTA)).toEqual([
        STARTED,
        STOPPED,
        COMMITTED,
        'conversation.item.added',
        'conversation.item.done',
        'conversation.item.input_audio_transcription.segment',
        COMPLETED,
      ]);
      const deltas = segmentEvents.filter(({ type }) => type === DELTA).map(({ delta }) => delta);
      expect(deltas.join('')).toBe(completed.transcript);
      expect(completed.transcript).toMatch(/^一二/);
      expect(completed).toMatchObject({ content_index: 0, usage: { type: 'duration' } });
      expect(client.all(STARTED)[at]?.audio_start_ms ?? Infinity).toBeLessThan(
        client.all(STOPPED)[at]?.audio_end_ms ?? 0,
      );
    }
    expect(new Set(client.events.map((event) => event.event_id)).size).toBe(client.events.length);
    client.socket.close();
  });

  it('without turn detection a commit ends the item, and a second one is refused as empty', async () => {
    const client = await connect();
    await manual(client);
    append(client, sentence);
    client.send({ type: 'input_audio_buffer.commit' });
    client.send({ type: 'input_audio_buffer.commit', event_id: 'mine' });
    expect((await client.next(COMPLETED)).transcript).toMatch(/^一二/);
    expect((await client.next('error')).error).toMatchObject({
      code: 'input_audio_buffer_commit_empty',
      event_id: 'mine',
    });
    expect(client.all(STARTED)).toEqual([]);
    client.socket.close();
  });

  it.each([undefined, null])(
    'gpt-live-transcribe with the turn detection %j waits for the commit of the client',
    async (detection) => {
      const client = await connect();
      const transcription = { ...CANTONESE, model: 'gpt-live-transcribe' };
      const { session } = await configure(client, { audio: { input: { transcription, turn_detection: detection } } });
      expect(session?.audio.input).toMatchObject({ turn_detection: null, transcription });
      append(client, sentences);
      client.send({ type: 'input_audio_buffer.commit' });
      expect((await client.next(COMPLETED)).transcript).toMatch(/^一二.+一二/);
      expect(client.all(STARTED)).toEqual([]);
      client.socket.close();
    },
  );

  it('acknowledges commit and clear in the order of the client, and loses nothing of the commit', async () => {
    const client = await connect();
    await manual(client);
    append(client, sentence);
    for (const type of ['commit', 'clear']) client.send({ type: `input_audio_buffer.${type}` });
    const { item_id: item, transcript } = await client.next(COMPLETED);
    expect(transcript).toMatch(/^一二/);
    await expect.poll(() => client.all('input_audio_buffer.cleared')).toHaveLength(1);
    const acknowledged = client.events.filter(({ type }) => type === COMMITTED || type.endsWith('.cleared'));
    expect(acknowledged.map(({ type, item_id: id }) => [type, id])).toEqual([
      [COMMITTED, item],
      ['input_audio_buffer.cleared', undefined],
    ]);
    client.socket.close();
  });

  it('drops what was cleared', async () => {
    const client = await connect();
    await manual(client);
    append(client, sentence);
    client.send({ type: 'input_audio_buffer.clear' });
    await client.next('input_audio_buffer.cleared');
    append(client, sentence.subarray(0, 24_000));
    client.send({ type: 'input_audio_buffer.commit' });
    expect((await client.next(COMPLETED)).transcript).toBe('');
    client.socket.close();
  });

  it.each([
    ['audio/pcmu', 0xff],
    ['audio/pcma', 0xd5],
  ])('takes two seconds of %s', async (type, zero) => {
    const client = await connect();
    await configure(client, { audio: { input: { format: { type }, transcription: CANTONESE, turn_detection: null } } });
    append(client, Buffer.alloc(16_000, zero));
    client.send({ type: 'input_audio_buffer.commit' });
    expect((await client.next(COMPLETED)).usage?.seconds).toBeCloseTo(2, 1);
    client.socket.close();
  });

  it('takes 16 kHz, and hears the same as at 24 kHz', async () => {
    const texts = await Promise.all(
      ([16_000, 24_000] as const).map(async (rate) => {
        const client = await connect();
        const format = { type: 'audio/pcm', rate };
        await configure(client, { audio: { input: { format, transcription: CANTONESE } } });
        append(client, pcmOf(sound, rate));
        const { transcript } = await client.next(COMPLETED);
        client.socket.close();
        return transcript;
      }),
    );
    expect(texts[0]).toMatch(/^一二/);
    expect(texts[0]).toBe(texts[1]);
  });

  it('knows the names of the beta', async () => {
    const client = await openLive(server.baseUrl, PATH, {
      key: server.ownerKey,
      headers: { 'openai-beta': 'realtime=v1' },
    });
    expect((await client.next('transcription_session.created')).session).toMatchObject({
      input_audio_format: 'pcm16',
    });
    client.send({
      type: 'transcription_session.update',
      session: { input_audio_format: 'pcm16', input_audio_transcription: { language: 'yue' }, turn_detection: null },
    });
    expect((await client.next('transcription_session.updated')).session).toMatchObject({
      input_audio_transcription: { language: 'yue' },
      turn_detection: null,
    });
    append(client, sentence);
    client.send({ type: 'input_audio_buffer.commit' });
    await client.next('conversation.item.created');
    client.socket.close();
  });
});

describe('keys', () => {
  type Place = () => { headers?: Record<string, string>; protocols?: string[] };
  it.each<[string, Place]>([
    ['Authorization: Token', () => ({ headers: { authorization: `Token ${server.ownerKey}` } })],
    ['x-api-key', () => ({ headers: { 'x-api-key': server.ownerKey } })],
    ['a subprotocol', () => ({ protocols: ['realtime', `openai-insecure-api-key.${server.ownerKey}`] })],
  ])('are taken from %s', async (_place, options) => {
    const client = await openLive(server.baseUrl, PATH, options());
    await client.next('session.created');
    expect(client.socket.protocol).toBe(options().protocols === undefined ? '' : 'realtime');
    client.socket.close();
  });

  it('a bad one is refused before the connection is a WebSocket', async () => {
    expect(await refusal(PATH, {})).toMatchObject({ status: 401, body: { error: { code: 'missing_api_key' } } });
    const wrong = await refusal(PATH, {}, ['realtime', 'openai-insecure-api-key.jyut_wrong']);
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    const { key } = await server.newAccount('pro', ['tts']);
    expect((await refusal(PATH, { 'x-api-key': key })).status).toBe(403);
  });

  it('each connection counts for the rate limit', async () => {
    const { key } = await server.newAccount('slow');
    for (let left = 3; left > 0; left -= 1) (await connect(key)).socket.close();
    expect(await refusal(PATH, { 'x-api-key': key })).toMatchObject({ status: 429 });
  });

  it('a plan allows so many connections at a time, until they close', async () => {
    const { key } = await server.newAccount('one-at-a-time');
    const client = await connect(key);
    const refused = await refusal('/v1/listen?encoding=linear16&sample_rate=16000', { 'x-api-key': key });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'concurrency_exceeded' } } });
    client.socket.close();
    await client.closed;
    await expect.poll(async () => (await tryToConnect(key)) !== null).toBe(true);
  });

  it('one that is revoked ends its sessions within seconds, with and without sound', async () => {
    const { key, keyId } = await server.newAccount('pro');
    const client = await listen(key);
    const silent = await listen(key);
    append(client, sentence);
    await client.next(COMPLETED);
    await server.store.keys.revoke(keyId);
    expect(await silent.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
    expect((await client.next('error')).error).toMatchObject({ code: 'invalid_api_key' });
    expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
  });
});

describe('quota', () => {
  it('is taken in steps and given back where unused', async () => {
    const { id, key } = await server.newAccount('pro');
    const client = await connect(key);
    append(client, Buffer.alloc(48_000 * 11));
    await expect.poll(() => usedSeconds(id)).toBe(20);
    client.socket.close();
    await expect.poll(() => usedSeconds(id)).toBe(11);
  });

  it('that ends leaves the words so far, then an error and a close', async () => {
    const { id, key } = await server.newAccount('small');
    const client = await listen(key);
    append(client, Buffer.concat([Buffer.alloc(48_000 * 8), sentences, sentences]));
    expect((await client.next('error')).error).toMatchObject({ code: 'quota_exceeded', type: 'quota_error' });
    expect(await client.closed).toEqual({ code: 1008, reason: 'quota_exceeded' });
    expect(client.all(COMPLETED).length).toBeGreaterThan(0);
    expect(client.events.at(-1)?.type).toBe('error');
    await expect.poll(() => usedSeconds(id)).toBe(10);
    const next = await connect(key);
    append(next, sentence);
    expect(await next.closed).toMatchObject({ code: 1008 });
  });
});

const audioOf = (bytes: number) => Buffer.alloc(bytes).toString('base64');

describe('hostile clients', () => {
  it.each([
    ['no JSON', 'hello', null],
    ['no object', '[1]', null],
    ['an unknown type', '{"type":"response.create"}', 'type'],
    ['no type', '{}', 'type'],
    ['wrong base64', '{"type":"input_audio_buffer.append","audio":"%%%"}', 'audio'],
    ['no audio', '{"type":"input_audio_buffer.append"}', 'audio'],
    ['no session', '{"type":"session.update"}', 'session'],
    [
      'a bad threshold',
      '{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","threshold":9}}}}}',
      'session',
    ],
  ])('%s is an error event, and the session goes on', async (_name, message, param) => {
    const client = await connect();
    client.socket.send(message);
    expect((await client.next('error')).error).toMatchObject({ type: 'invalid_request_error', param });
    await configure(client, {});
    client.socket.close();
  });

  it('15 MiB of audio in one event are taken, a byte more is refused, and a longer message closes', async () => {
    const most = 15 * 1024 ** 2;
    // Its quota ends after 10 s of the 327 s that were taken.
    const { key } = await server.newAccount('small');
    const short = await connect(key);
    short.send({ type: 'input_audio_buffer.append', audio: audioOf(most) });
    expect((await short.next('error')).error).toMatchObject({ code: 'quota_exceeded' });

    const client = await connect();
    client.send({ type: 'input_audio_buffer.append', audio: audioOf(most + 1) });
    expect((await client.next('error')).error).toMatchObject({ param: 'audio' });
    client.socket.send(Buffer.alloc(22 * 1024 ** 2));
    expect(await client.closed).toMatchObject({ code: 1009 });
  });

  it('large events that cannot be used are read at a limited speed, for all clients together', async () => {
    const pace = Promise.withResolvers<void>();
    using take = vi.spyOn(refusedEvents, 'take').mockImplementation((bytes) => (bytes === 0 ? pace.promise : null));
    const large = JSON.stringify({ type: 'input_audio_buffer.append', audio: `${'A'.repeat(2 * 1024 ** 2)}?` });
    const [client, other] = [await connect(), await connect()];
    client.socket.send(large);
    // A small one is answered meanwhile.
    other.send({ type: 'input_audio_buffer.append', audio: '?' });
    await other.next('error');
    other.socket.send(large);
    await expect.poll(() => take.mock.calls).toEqual([[0], [0]]);
    expect([client.all('error'), other.all('error')]).toEqual([[], [expect.anything()]]);

    pace.resolve();
    expect((await client.next('error')).error).toMatchObject({ param: 'audio' });
    await expect.poll(() => other.all('error').length).toBe(2);
    expect(take.mock.calls.map(([bytes]) => bytes)).toEqual([0, 0, large.length, large.length]);
    // Sound that can be used does not count.
    append(client, Buffer.alloc(2 * 1024 ** 2), 2 * 1024 ** 2);
    await configure(client, {});
    expect(take).toHaveBeenCalledTimes(5);
    client.socket.close();
    other.socket.close();
  });

  it('requests that offer another protocol are answered as usual', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
      };
      const clientRequest = request(`${server.baseUrl}/health`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      clientRequest.on('error', reject).end();
    });
    expect(status).toBe(200);
  });

  it('a plain GET is told to open a WebSocket', async () => {
    const answer = await fetch(`${server.baseUrl}${PATH}`, { headers: { 'x-api-key': server.ownerKey } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: 'Open this address as a WebSocket.' });
  });
});

it('a server that closes lets the last words arrive, says why, and closes', async () => {
  await using closing = await startTestServer();
  const client = await openLive(closing.baseUrl, PATH, { key: closing.ownerKey });
  await configure(client, { audio: { input: { transcription: CANTONESE } } });
  append(client, sentence.subarray(0, -24_000));
  await client.next(STARTED);
  await closing[Symbol.asyncDispose]();
  expect(await client.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(client.all(COMPLETED)).toHaveLength(1);
  expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'service_unavailable' } });
});
