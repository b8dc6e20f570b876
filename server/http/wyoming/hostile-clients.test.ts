import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '#features/accounts/api-keys.ts';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { hear, openWyoming, type WyomingTestClient } from '#test/wyoming-client.ts';

const KEY = 'jyut_key_of_the_home_0123456789';
const PCM = { rate: 16_000, width: 2, channels: 1 };
const BYTES_PER_SECOND = 32_000;

let server: TestServer;
let port: number;
let words: Buffer;
let speech: Buffer;
let client: WyomingTestClient;

beforeAll(async () => {
  port = await freePort();
  server = await startTestServer({ wyoming: { host: '127.0.0.1', port, apiKey: KEY } });
  const spoken = await speak('hoeng1 gong2 jan4');
  words = pcmOf(spoken, 16_000);
  speech = pcmOf(joinSounds([spoken, silence(300, spoken.sampleRateHz)], 0), 16_000);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  client = await openWyoming(port);
  return () => void client.socket.destroy();
});

const failure = async (failing = client) => {
  const { data } = await failing.next('error');
  await failing.ended;
  return data['code'];
};
const usedSeconds = async () => {
  const found = await server.store.keys.findByHash(hashKey(KEY));
  return (await server.store.quotas.used(found?.account.id ?? '')).stt_seconds;
};
const sendSound = (sending: WyomingTestClient, sound: Buffer) => {
  for (const piece of piecesOf(sound, 32_000)) sending.send('audio-chunk', PCM, piece);
};
const header = (fields: object) => `${JSON.stringify({ type: 'audio-chunk', ...fields })}\n`;

describe('clients that send no events', () => {
  it.each<[string, string | Buffer, string]>([
    ['HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
    [
      'binary bytes',
      Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0xff, 0x0a]), Buffer.alloc(4_096, '\0\xff\x0a{', 'latin1')]),
      'invalid_request',
    ],
    ['too much data', header({ data_length: 262_145 }), 'payload_too_large'],
    ['too much sound', header({ payload_length: 1_073_741_824 }), 'payload_too_large'],
    ['a negative length of data', header({ data_length: -1 }), 'invalid_request'],
    ['a negative length of sound', header({ payload_length: -1 }), 'invalid_request'],
    ['a length that no number can have', '{"type":"audio-chunk","payload_length":1e999}\n', 'invalid_request'],
    ['data that is no JSON', `${header({ data_length: 4 })}\0\0\0\0`, 'invalid_request'],
    ['a line without an end', 'x'.repeat(100_000), 'payload_too_large'],
  ])('are told so and disconnected, and others are heard on: %s', async (_name, bytes, code) => {
    const other = await openWyoming(port);
    const [before, after] = [speech.subarray(0, BYTES_PER_SECOND / 2), speech.subarray(BYTES_PER_SECOND / 2)];
    other.send('audio-chunk', PCM, before);
    other.send('ping');
    await other.next('pong');
    client.socket.write(bytes);
    expect(await failure()).toBe(code);
    expect(client.types()).toEqual(['error']);
    other.send('audio-chunk', PCM, after);
    other.send('audio-stop');
    expect((await other.next('transcript')).data['text']).toMatch(/^一二/);
    other.socket.destroy();
  });
});

describe('hostile clients', () => {
  it('and unknown events leave others and themselves served', async () => {
    client.send('detect', { names: ['okay'] });
    client.send('constructor');
    client.send('audio-stop');
    client.send('synthesize-chunk', { text: '早晨' });
    client.send('synthesize-stop');
    const leaver = await openWyoming(port);
    leaver.send('audio-chunk', PCM, speech);
    leaver.socket.resetAndDestroy();
    const cut = await openWyoming(port);
    cut.socket.end('{"type":"audio-chunk","payload_length":1000}\nabc');
    await cut.ended;
    expect(cut.events).toEqual([]);
    expect(await hear(client, speech)).toMatch(/^一二/);
  });

  it('that end their side in the middle of a sentence are disconnected, and pay what was heard', async () => {
    const before = await usedSeconds();
    client.send('audio-chunk', PCM, speech.subarray(0, BYTES_PER_SECOND / 2));
    client.socket.end();
    await client.ended;
    expect(client.types()).not.toContain('error');
    await expect.poll(async () => (await usedSeconds()) - before).toBe(1);
  });

  it('that send thousands of events at once get their answers in order', async () => {
    const count = 5_000;
    for (let text = 0; text < count; text += 1) client.send('ping', { text: String(text) });
    client.socket.end();
    await client.ended;
    expect(client.events.map(({ data }) => Number(data['text']))).toEqual(Array.from({ length: count }, (_, at) => at));
  });
});

it('one client has at most fifty connections, and may open new ones when it closes some', async () => {
  const many = await Promise.all(Array.from({ length: 50 }, () => openWyoming(port)));
  // One of the fifty is that of the test.
  await Promise.race(many.map(({ ended }) => ended));
  expect(await hear(client, speech)).toMatch(/^一二/);
  for (const { socket } of many) socket.destroy();
  await expect
    .poll(async () => {
      const late = await openWyoming(port);
      late.send('ping');
      late.socket.end();
      await late.ended;
      return late.types();
    })
    .toEqual(['pong']);
});

describe('the plan of the key', () => {
  let limitedServer: TestServer;
  let ownPort: number;
  let account: { id: string; keyId: string };
  beforeAll(async () => {
    ownPort = await freePort();
    limitedServer = await startTestServer({ wyoming: { host: '127.0.0.1', port: ownPort, apiKey: KEY } });
    const found = await limitedServer.store.keys.findByHash(hashKey(KEY));
    account = { id: found?.account.id ?? '', keyId: found?.key.id ?? '' };
    return () => limitedServer[Symbol.asyncDispose]();
  });
  const setPlan = (plan: string) => limitedServer.store.accounts.update(account.id, { plan });

  it('limits what runs at once', async () => {
    await setPlan('one-at-a-time');
    const first = await openWyoming(ownPort);
    first.send('audio-start', PCM);
    first.send('ping');
    await first.next('pong');
    const second = await openWyoming(ownPort);
    second.send('audio-start', PCM);
    expect(await failure(second)).toBe('concurrency_exceeded');
    first.socket.destroy();
    await once(first.socket, 'close');
  });

  it('ends the connection when its quota ends in the middle of a sentence', async () => {
    await setPlan('small');
    const cut = await openWyoming(ownPort);
    sendSound(cut, Buffer.concat([Buffer.alloc(9 * BYTES_PER_SECOND), words, words]));
    cut.send('audio-stop');
    expect(await failure(cut)).toBe('quota_exceeded');
    expect(cut.types()).not.toContain('transcript');
    await expect.poll(async () => (await limitedServer.store.quotas.used(account.id)).stt_seconds).toBe(10);
  });

  it('counts for nothing once the key is revoked, also in the middle of a sentence', async () => {
    await setPlan('pro');
    const cut = await openWyoming(ownPort);
    cut.send('audio-chunk', PCM, words);
    cut.send('ping');
    await cut.next('pong');
    const idle = await openWyoming(ownPort);
    idle.send('describe');
    await idle.next('info');
    await limitedServer.store.keys.revoke(account.keyId);
    sendSound(cut, Buffer.alloc(12 * BYTES_PER_SECOND));
    expect(await failure(cut)).toBe('invalid_api_key');
    expect(await failure(idle)).toBe('invalid_api_key');
    const late = await openWyoming(ownPort);
    late.send('describe');
    expect(await failure(late)).toBe('invalid_api_key');
  });
});
