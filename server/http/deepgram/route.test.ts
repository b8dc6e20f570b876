import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeG711, type G711Law } from '@jyutsing/audio/g711';
import { silence, writeSound, type FixtureFormat, type Sound } from '#testbed/sound/audio.ts';
import { joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { openLive, pcmOf, piecesOf, type LiveClient } from '#testbed/clients/live-client.ts';
import { opusPackets } from '#test/opus-packets.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

const QUERY = { model: 'nova-3', language: 'zh-HK', encoding: 'linear16', sample_rate: '16000' } as const;

let server: TestServer;
let speech: Buffer;
let spokenAt48kHz: Sound;

beforeAll(async () => {
  server = await startTestServer();
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  const sound = joinSounds([pause, spoken, pause], 0);
  speech = pcmOf(sound, 16_000);
  spokenAt48kHz = { sampleRateHz: 48_000, channels: [resample(sound.channels[0]!, sound.sampleRateHz, 48_000)] };
});
afterAll(() => server[Symbol.asyncDispose]());

const path = (query: Record<string, string>) => `/v1/listen?${new URLSearchParams(query).toString()}`;

it('the client of Deepgram gets live text, then the final one with the times of its words', async () => {
  const wss = server.baseUrl.replace('http', 'ws');
  const environment = { base: server.baseUrl, production: wss, agent: wss, agentRest: server.baseUrl };
  const deepgram = new DeepgramClient({ apiKey: server.ownerKey, environment });
  const live = await deepgram.listen.v1.connect({
    ...QUERY,
    sample_rate: 16_000,
    interim_results: 'true',
    utterance_end_ms: 1_000,
    vad_events: 'true',
    Authorization: `Token ${server.ownerKey}`,
  });
  const messages: { type: string }[] = [];
  live.on('message', (message) => messages.push(message));
  const closed = new Promise<void>((resolve) => live.on('close', () => resolve()));
  live.connect();
  await live.waitForOpen();
  for (const piece of piecesOf(speech, 3_200)) live.sendMedia(piece);
  live.sendCloseStream({ type: 'CloseStream' });
  await closed;
  const types = messages.map(({ type }) => type);
  expect(types[0]).toBe('SpeechStarted');
  expect(types.slice(-2)).toEqual(['UtteranceEnd', 'Metadata']);
  const final = messages.filter((message) => 'is_final' in message && message.is_final === true);
  expect(final).toMatchObject([
    {
      speech_final: true,
      from_finalize: false,
      channel_index: [0, 1],
      channel: { alternatives: [{ transcript: expect.stringMatching(/^一二/) as string }] },
    },
  ]);
  expect(JSON.stringify(final[0])).toMatch(
    /"words":\[\{"word":"一","punctuated_word":"一","start":[\d.]+,"end":[\d.]+/,
  );
});

it('Finalize ends what is open, KeepAlive does nothing, and after an unknown message the stream goes on', async () => {
  const client = await openLive(server.baseUrl, path({ ...QUERY, endpointing: '5000' }), { key: server.ownerKey });
  client.send({ type: 'KeepAlive' });
  client.socket.send(speech);
  client.send({ type: 'Finalize' });
  expect(await client.next('Results')).toMatchObject({ is_final: true, speech_final: false, from_finalize: true });
  for (const message of ['{"type":"Sing"}', 'Sing', '[]', '{"type":1}', `{"type":${'['.repeat(60)}`]) {
    client.socket.send(message);
  }
  client.socket.send(speech);
  client.send({ type: 'CloseStream' });
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(client.all('Error')).toHaveLength(5);
  expect(client.all('Error')[0]).toMatchObject({ variant: 'SchemaError', message: '{"type":"Sing"}' });
  expect(finals(client)).toHaveLength(2);
});

it('an empty message of sound ends the stream, as it did before CloseStream', async () => {
  const client = await openLive(server.baseUrl, path(QUERY), { key: server.ownerKey });
  client.socket.send(speech);
  client.socket.send(Buffer.alloc(0));
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(client.all('Results').at(-1)).toMatchObject({ is_final: true });
  expect(client.all('Metadata')).toHaveLength(1);
});

it('Configure replaces the terms and says which apply; what it cannot read changes nothing', async () => {
  const client = await openLive(server.baseUrl, path(QUERY), { key: server.ownerKey });
  client.send({ type: 'Configure', keyterms: ['香港人'], features: { numerals: true, profanity_filter: false } });
  client.send({ type: 'Configure', features: {} });
  client.send({ type: 'Configure', keyterms: Array.from({ length: 501 }, () => 'x') });
  client.send({ type: 'Configure', features: { numerals: 'yes' } });
  client.socket.send(speech);
  client.send({ type: 'CloseStream' });
  await client.closed;
  expect(client.all('ConfigureSuccess')).toMatchObject([
    { keyterms: ['香港人'], request_id: expect.any(String) as string },
    {},
  ]);
  expect(client.all('ConfigureFailure')).toMatchObject([
    { code: 'CONFIGURE_KEYTERM_LIMIT_EXCEEDED' },
    { code: 'CONFIGURE_INTERNAL_ERROR' },
  ]);
  expect(finals(client)).toHaveLength(1);
});

const pauseOf = (ms: number) => Buffer.alloc(32 * ms);
/** The final texts of three sentences, after pauses of 100 and 900 ms. */
const cutAt = async (endpointing: string) => {
  const client = await listen({ encoding: 'linear16', sample_rate: '16000', endpointing });
  const voiced = pcmOf(await speak('hoeng1 gong2 jan4'), 16_000);
  const parts = [pauseOf(900), voiced, pauseOf(100), voiced, pauseOf(900), voiced, pauseOf(900)];
  client.socket.send(Buffer.concat(parts));
  client.send({ type: 'CloseStream' });
  await client.closed;
  return finals(client).map((result) => [textOf(result), 'speech_final' in result && result.speech_final]);
};

it('a short endpointing cuts no sentence at its pauses, and no full stop comes there', async () => {
  const short = await cutAt('25');
  expect(short).toEqual(await cutAt('300'));
  expect(short).toMatchObject([
    [expect.any(String), true],
    [expect.any(String), true],
  ]);
});

it('quota that ends in the middle of a sentence leaves its words so far, then an error and a close', async () => {
  const { id, key } = await server.newAccount('small');
  const client = await listen({ encoding: 'linear16', sample_rate: '16000' }, key);
  client.socket.send(Buffer.concat([Buffer.alloc(32_000 * 8), speech, speech]));
  expect(await client.closed).toEqual({ code: 1008, reason: 'quota_exceeded' });
  expect(textOf(finals(client)[0])).toMatch(/^一/);
  expect(client.events.at(-1)).toMatchObject({ type: 'Error', code: 'quota_exceeded' });
  await expect.poll(async () => (await server.store.quotas.used(id)).stt_seconds).toBe(10);
});

it('a key that is revoked ends its session', async () => {
  const { key, keyId } = await server.newAccount('pro');
  const client = await openLive(server.baseUrl, path(QUERY), { key });
  client.socket.send(speech);
  await client.next('Results');
  await server.store.keys.revoke(keyId);
  expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
  expect(client.events.at(-1)).toMatchObject({ type: 'Error', code: 'invalid_api_key' });
});

it('a server that closes lets the last words arrive, says why, and closes', async () => {
  await using closing = await startTestServer();
  const query = path({ ...QUERY, vad_events: 'true' });
  const client = await openLive(closing.baseUrl, query, { key: closing.ownerKey });
  client.socket.send(speech.subarray(0, -16_000));
  await client.next('SpeechStarted');
  await closing[Symbol.asyncDispose]();
  expect(await client.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(finals(client)).toHaveLength(1);
  expect(client.events.at(-1)).toMatchObject({ type: 'Error', code: 'service_unavailable' });
});

it('a control message above 64 KiB is refused', async () => {
  const client = await openLive(server.baseUrl, path(QUERY), { key: server.ownerKey });
  client.send({ type: 'KeepAlive', lists: Array.from({ length: 40_000 }, () => []) });
  expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_request' });
});

const listen = (query: Record<string, string>, key = server.ownerKey) =>
  openLive(server.baseUrl, path({ language: 'zh-HK', ...query }), { key });
const finals = (client: LiveClient) =>
  client.all('Results').filter((result) => 'is_final' in result && result.is_final);
const textOf = (event: object | undefined) => JSON.stringify(event).match(/"transcript":"([^"]*)"/)?.[1] ?? '';
const file = async (format: FixtureFormat) => {
  await using folder = await temporaryFolder();
  await writeSound(join(folder.path, 'sound'), spokenAt48kHz, format);
  return readFile(join(folder.path, 'sound'));
};
/** Each sample is the nearest of those that the law has. */
const telephoneBytes = (law: G711Law) => {
  const values = decodeG711(
    Uint8Array.from({ length: 256 }, (_, code) => code),
    law,
  );
  const samples = resample(spokenAt48kHz.channels[0]!, 48_000, 8_000);
  const distanceOf = (sample: number) => (best: number, value: number, code: number) =>
    Math.abs(value - sample) < Math.abs(values[best]! - sample) ? code : best;
  return Buffer.from(Uint8Array.from(samples, (sample) => values.reduce(distanceOf(sample), 0)));
};
/** The text of samples, to compare with. */
const plainText = async () => {
  const client = await listen({ encoding: 'linear16', sample_rate: '48000' });
  client.socket.send(pcmOf(spokenAt48kHz, 48_000));
  client.send({ type: 'CloseStream' });
  await client.closed;
  return textOf(finals(client)[0]);
};

it.each(['mulaw', 'alaw'] as const)('%s of a telephone is heard', async (encoding) => {
  const client = await listen({ encoding, sample_rate: '8000' });
  for (const piece of piecesOf(telephoneBytes(encoding), 1_600)) client.socket.send(piece);
  client.send({ type: 'CloseStream' });
  await client.closed;
  expect(finals(client).map(textOf)).toEqual([await plainText()]);
});

it.each(['linear16', 'mulaw'] as const)(
  'each channel of %s is heard for itself, and charged once',
  async (encoding) => {
    const { id, key } = await server.newAccount('pro');
    const isLinear = encoding === 'linear16';
    const [sound, sampleBytes] = isLinear ? [speech, 2] : [telephoneBytes(encoding), 1];
    const pause = Buffer.alloc(sound.length, isLinear ? 0 : 0xff);
    // The right channel speaks while the left is silent, then the other way round.
    const [left, right] = [Buffer.concat([pause, sound]), Buffer.concat([sound, pause])];
    const both = Buffer.concat(
      Array.from({ length: left.length / sampleBytes }, (_, at) =>
        Buffer.concat([left, right].map((side) => side.subarray(at * sampleBytes, (at + 1) * sampleBytes))),
      ),
    );
    const rate = { sample_rate: isLinear ? '16000' : '8000' };
    const client = await listen({ encoding, ...rate, channels: '2', multichannel: 'true', vad_events: 'true' }, key);
    // Messages end within a sample.
    for (const piece of piecesOf(both, 1_001)) client.socket.send(piece);
    client.send({ type: 'CloseStream' });
    await client.closed;
    const seconds = left.length / sampleBytes / Number(rate.sample_rate);
    const results = finals(client) as unknown as { channel_index: number[]; start: number }[];
    expect(results.map(({ channel_index: channel }) => channel)).toEqual([
      [1, 2],
      [0, 2],
    ]);
    expect(results.map(({ start }) => start > seconds / 2)).toEqual([false, true]);
    const text = await plainText();
    expect(results.map(textOf)).toEqual([text, text]);
    expect(client.all('SpeechStarted')).toMatchObject([{ channel: [1, 2] }, { channel: [0, 2] }]);
    expect(client.events.at(-1)).toMatchObject({ type: 'Metadata', channels: 2 });
    expect((await server.store.quotas.used(id)).stt_seconds).toBe(Math.ceil(seconds));
  },
);

/** The types of all messages but interim results. */
const typesWith = async (options: Record<string, string>) => {
  const client = await listen({ encoding: 'linear16', sample_rate: '16000', ...options });
  client.socket.send(Buffer.concat([speech, Buffer.alloc(32_000), speech]));
  client.send({ type: 'CloseStream' });
  await client.closed;
  return client.events.filter((event) => !('is_final' in event && !event.is_final)).map(({ type }) => type);
};

it('the query adds starts and ends of speech to the final text of each utterance', async () => {
  expect(await typesWith({})).toEqual(['Results', 'Results', 'Metadata']);
  const all = await typesWith({ vad_events: 'true', utterance_end_ms: '1000', interim_results: 'true' });
  expect(all[0]).toBe('SpeechStarted');
  expect(all.slice(-2)).toEqual(['UtteranceEnd', 'Metadata']);
  for (const type of ['SpeechStarted', 'Results', 'UtteranceEnd']) {
    expect(all.filter((name) => name === type)).toHaveLength(2);
  }
  expect(await typesWith({ keyterm: '香港' })).toEqual(['Results', 'Results', 'Metadata']);
});

describe('compressed sound', () => {
  it.each(['webm-live', 'ogg-opus', 'wav', 'mp3'] as const)('%s is recognized while it arrives', async (format) => {
    const client = await listen({ interim_results: 'true' });
    for (const piece of piecesOf(await file(format), 1_000)) client.socket.send(piece);
    await expect.poll(() => client.all('Results').length, { timeout: 60_000 }).toBeGreaterThan(0);
    client.send({ type: 'CloseStream' });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(textOf(finals(client)[0])).toBe(await plainText());
  });

  it('packets of Opus are recognized, and Finalize gives the text of all sound before it', async () => {
    const client = await listen({ encoding: 'opus', sample_rate: '48000', endpointing: '10000' });
    for (const packet of opusPackets(spokenAt48kHz)) client.socket.send(packet);
    client.send({ type: 'Finalize' });
    expect(await client.next('Results')).toMatchObject({ is_final: true, from_finalize: true });
    expect(textOf(client.all('Results')[0])).toBe(await plainText());
    client.socket.close();
  });

  it('that cannot be read ends the connection with the reason', async () => {
    const client = await listen({});
    client.socket.send(Buffer.from('%PDF-1.7 and more that is no sound at all'));
    expect(await client.closed).toEqual({ code: 1008, reason: 'unsupported_audio_format' });
    expect(client.events.at(-1)).toMatchObject({ type: 'Error', code: 'unsupported_audio_format' });
  });

  it('counts by its seconds, and ends with the quota', async () => {
    const { id, key } = await server.newAccount('small');
    const client = await listen({}, key);
    const pauses = { sampleRateHz: 48_000, channels: [new Float32Array(48_000 * 30)] };
    await using folder = await temporaryFolder();
    await writeSound(join(folder.path, 'sound'), pauses, 'ogg-opus');
    client.socket.send(await readFile(join(folder.path, 'sound')));
    expect(await client.closed).toEqual({ code: 1008, reason: 'quota_exceeded' });
    await expect.poll(async () => (await server.store.quotas.used(id)).stt_seconds).toBe(10);
  });
});

it.each([
  ['an encoding that cannot be read', { encoding: 'flac' }],
  ['an unknown language', { language: 'xx' }],
  ['a bad rate', { sample_rate: 'fast' }],
])('%s is refused before the connection is a WebSocket', async (_name, change) => {
  const opening = openLive(server.baseUrl, path({ ...QUERY, ...change }), { key: server.ownerKey });
  await expect(opening).rejects.toThrow('422');
});
