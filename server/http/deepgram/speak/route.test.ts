import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { decodeG711 } from '@jyutsing/audio/g711';
import { createRandom } from '@jyutsing/numeric/random';
import { decodeFile } from '#testbed/clients/decode-sound.ts';
import { randomSpeakFrame } from '#testbed/clients/random-doors.ts';
import { openLive } from '#testbed/clients/live-client.ts';
import { json, send } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let deepgram: DeepgramClient;
beforeAll(async () => {
  server = await startTestServer();
  deepgram = clientOf(server.ownerKey);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Deepgram's own client, unchanged. */
function clientOf(apiKey: string): DeepgramClient {
  const wss = server.baseUrl.replace('http', 'ws');
  const environment = { base: server.baseUrl, production: wss, agent: wss, agentRest: server.baseUrl };
  return new DeepgramClient({ apiKey, environment, maxRetries: 0 });
}

const connect = (query = '', key = server.ownerKey) => openLive(server.baseUrl, `/v1/speak${query}`, { key });

const TEXT = '早晨，今日天氣好好。';

describe('POST /v1/speak', () => {
  it.each([
    ['mp3', {}],
    ['flac', { encoding: 'flac' }],
    ['opus', { encoding: 'opus', container: 'ogg' }],
    ['linear16 in a WAV file', { encoding: 'linear16', sample_rate: 16_000 }],
    ['mulaw in a WAV file', { encoding: 'mulaw' }],
  ] as const)('%s is a file that can be decoded, and lasts as long as the others', async (_name, query) => {
    const answer = await deepgram.speak.v1.audio.generate({ text: TEXT, model: 'aura-2-thalia-en', ...query });
    const { channels, sampleRateHz } = await decodeFile(Buffer.from(await answer.arrayBuffer()));
    // The test server sings a tone for each character.
    const whole = await deepgram.speak.v1.audio.generate({ text: TEXT, encoding: 'linear16', container: 'none' });
    const seconds = (await whole.arrayBuffer()).byteLength / 48_000;
    expect(channels[0]!.length / sampleRateHz).toBeCloseTo(seconds, 0);
    expect(Math.max(...channels[0]!.map(Math.abs))).toBeGreaterThan(0.05);
  });

  it('samples without a container have the rate that was asked for, and say it', async () => {
    const key = server.ownerKey;
    const path = `${server.baseUrl}/v1/speak?encoding=mulaw&container=none`;
    const answer = await fetch(path, json('POST', { text: TEXT }, key));
    expect(answer.headers.get('content-type')).toBe('audio/mulaw;rate=8000');
    const samples = decodeG711(new Uint8Array(await answer.arrayBuffer()), 'mulaw');
    expect(Math.max(...samples)).toBeGreaterThan(0.05);
    expect(answer.headers.get('x-characters-charged')).toBe(String([...TEXT].length));
  });

  it('an answer has the headers of Deepgram, which clients before version 5 require', async () => {
    const path = `${server.baseUrl}/v1/speak?model=aura-2-瑪利亞`;
    const { headers } = await fetch(path, json('POST', { text: TEXT }, server.ownerKey));
    const names = ['dg-request-id', 'dg-model-uuid', 'dg-model-name', 'dg-char-count'];
    expect(names.map((name) => headers.get(name))).toEqual([
      headers.get('x-request-id'),
      headers.get('x-request-id'),
      encodeURIComponent('aura-2-瑪利亞'),
      String([...TEXT].length),
    ]);
  });

  it('a refusal has the fields of Deepgram too', async () => {
    const answer = await send(`${server.baseUrl}/v1/speak`, json('POST', { text: TEXT }, 'jyut_nonsense'));
    const { message } = answer.body;
    expect([answer.status, answer.body]).toMatchObject([401, { err_code: 'INVALID_API_KEY', err_msg: message }]);
  });

  it('speech that is not made at the asked speed is changed afterwards, and shorter', async () => {
    const lengths: number[] = [];
    for (const speed of [1, 2]) {
      const url = `${server.baseUrl}/v1/speak?encoding=linear16&container=none&sample_rate=8000&speed=${speed}`;
      const answer = await fetch(url, json('POST', { text: TEXT }, server.ownerKey));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/l16;rate=8000']);
      lengths.push((await answer.arrayBuffer()).byteLength);
    }
    expect(lengths[0]! / lengths[1]!).toBeCloseTo(2, 0);
  });

  it.each([
    ['encoding=wma', 422, 'encoding'],
    ['encoding=mp3&container=wav', 422, 'container'],
    ['sample_rate=8000', 422, 'sample_rate'],
    ['encoding=linear16&sample_rate=12345', 422, 'sample_rate'],
    ['callback=https://example.org/x', 422, 'callback'],
    ['model=jasmin', 404, 'voice'],
  ])('%s is refused', async (query, status, message) => {
    const answer = await send(`${server.baseUrl}/v1/speak?${query}`, json('POST', { text: '早' }, server.ownerKey));
    expect([answer.status, String(answer.body['message'])]).toEqual([status, expect.stringContaining(message)]);
  });

  it('without a key, with the wrong scope and without a text it is refused', async () => {
    const url = `${server.baseUrl}/v1/speak`;
    const { key } = await server.newAccount('pro', ['stt']);
    const statuses = [
      json('POST', { text: '早' }),
      json('POST', { text: '早' }, key),
      json('POST', {}, server.ownerKey),
    ];
    expect(await Promise.all(statuses.map(async (request) => (await send(url, request)).status))).toEqual([
      401, 403, 400,
    ]);
  });
});

describe('the WebSocket /v1/speak', () => {
  it('speaks for the client of Deepgram, sentence by sentence, and acknowledges', async () => {
    const live = await deepgram.speak.v1.connect({
      model: 'aura-2-thalia-en',
      encoding: 'linear16',
      sample_rate: '16000',
      Authorization: `Token ${server.ownerKey}`,
    });
    const types: string[] = [];
    let bytes = 0;
    live.on('message', (message: unknown) => {
      const size = sizeOf(message);
      if (size === null) types.push((message as { type: string }).type);
      else bytes += size;
    });
    const closed = new Promise<void>((resolve) => live.on('close', () => resolve()));
    live.connect();
    await live.waitForOpen();
    live.sendText({ type: 'Speak', text: '早晨。' });
    live.sendText({ type: 'Speak', text: '今日天氣好好' });
    live.sendFlush({ type: 'Flush' });
    live.sendClear({ type: 'Clear' });
    live.sendClose({ type: 'Close' });
    await closed;
    expect(types[0]).toBe('Metadata');
    expect(types).toContain('Cleared');
    expect(types.filter((type) => type === 'Warning' || type === 'Error')).toEqual([]);
    expect(bytes % 2).toBe(0);
  });

  it('sends all sound before Flushed, as much as the same text gives over HTTP', async () => {
    const client = await connect('?encoding=linear16');
    client.send({ type: 'Speak', text: '早晨。今日天氣' });
    client.send({ type: 'Speak', text: '好好。' });
    client.send({ type: 'Flush' });
    expect(await client.next('Flushed')).toMatchObject({ sequence_id: 0 });
    const before = sizeOfAll(client.sounds);
    expect(before).toBeGreaterThan(24_000);
    client.send({ type: 'Flush' });
    expect(await client.next('Flushed', 1)).toMatchObject({ sequence_id: 1 });
    client.send({ type: 'Close' });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(sizeOfAll(client.sounds)).toBe(before);
  });

  it('Close speaks what is left, and an unspeakable text is a warning', async () => {
    const client = await connect();
    client.send({ type: 'Speak', text: '<speak>早<break' });
    client.send({ type: 'Flush' });
    expect(await client.next('Warning')).toMatchObject({ code: expect.any(String), description: expect.any(String) });
    await client.next('Flushed');
    client.send({ type: 'Speak', text: '早晨' });
    client.send({ type: 'Close' });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(sizeOfAll(client.sounds)).toBeGreaterThan(9_000);
  });

  it('never speaks a thought of a language model, however long it is', async () => {
    const { id, key } = await server.newAccount('pro', ['tts']);
    const client = await connect('', key);
    client.send({ type: 'Speak', text: '<think>' });
    for (let part = 0; part < 8; part += 1) client.send({ type: 'Speak', text: '想下想下。'.repeat(300) });
    client.send({ type: 'Speak', text: '再想。</thi' });
    client.send({ type: 'Speak', text: 'nk>早晨。' });
    client.send({ type: 'Flush' });
    await client.next('Flushed');
    expect(client.all('Warning')).toEqual([]);
    expect((await server.store.quotas.used(id)).tts_characters).toBe(3);
    client.send({ type: 'Close' });
    await client.closed;
  });

  it('reads Clear before all that waits was spoken', async () => {
    const client = await connect();
    client.send({ type: 'Speak', text: '早。' });
    client.send({ type: 'Flush' });
    await client.next('Flushed');
    const one = sizeOfAll(client.sounds);
    client.send({ type: 'Speak', text: '早。'.repeat(900) });
    client.send({ type: 'Clear' });
    await client.next('Cleared');
    expect(sizeOfAll(client.sounds)).toBeLessThan(one * 600);
    client.send({ type: 'Close' });
    await client.closed;
  });

  it('charges each text once, and warns when the quota is used up', async () => {
    const { id, key } = await server.newAccount('talkative', ['tts']);
    const client = await connect('', key);
    client.send({ type: 'Speak', text: '早晨' });
    client.send({ type: 'Flush' });
    await client.next('Flushed');
    expect((await server.store.quotas.used(id)).tts_characters).toBe(2);
    client.send({ type: 'Speak', text: '好'.repeat(500) });
    client.send({ type: 'Flush' });
    expect(await client.next('Warning')).toMatchObject({ code: 'quota_exceeded' });
    expect((await server.store.quotas.used(id)).tts_characters).toBe(2);
    client.send({ type: 'Close' });
    await client.closed;
  });

  it('is refused without the scope tts, and for a rate that no sound has', async () => {
    const { key } = await server.newAccount('pro', ['stt']);
    await expect(connect('', key)).rejects.toThrow(/403/);
    await expect(connect('?sample_rate=7')).rejects.toThrow(/422/);
    await expect(connect('?encoding=mp3')).rejects.toThrow(/422/);
  });

  test('random messages end no connection with a failure of the server', async () => {
    const random = createRandom(31);
    const client = await connect();
    for (let attempt = 0; attempt < 80; attempt += 1) client.socket.send(randomSpeakFrame(random));
    client.send({ type: 'Close' });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(client.all('Error')).toEqual([]);
  });
});

const sizeOfAll = (sounds: readonly Buffer[]) => sounds.reduce((sum, { length }) => sum + length, 0);

/** The size of binary sound; null for a message. */
function sizeOf(message: unknown): number | null {
  if (message instanceof Blob) return message.size;
  if (message instanceof ArrayBuffer || ArrayBuffer.isView(message)) return message.byteLength;
  return null;
}
