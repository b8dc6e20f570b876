import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silence } from '#test/audio.ts';
import { joinSounds, speak } from '#test/espeak-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { openLive, pcmOf, piecesOf } from '#test/live-client.ts';

const QUERY = { model: 'nova-3', language: 'zh-HK', encoding: 'linear16', sample_rate: '16000' } as const;

let server: TestServer;
let speech: Buffer;

beforeAll(async () => {
  server = await startTestServer();
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  speech = pcmOf(joinSounds([pause, spoken, pause], 0), 16_000);
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

it('Finalize ends what is open, KeepAlive does nothing, and other messages end the connection', async () => {
  const client = await openLive(server.baseUrl, path({ ...QUERY, endpointing: '5000' }), { key: server.ownerKey });
  client.send({ type: 'KeepAlive' });
  client.socket.send(speech);
  client.send({ type: 'Finalize' });
  expect(await client.next('Results')).toMatchObject({ is_final: true, speech_final: false, from_finalize: true });
  client.send({ type: 'Sing' });
  expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_request' });
  expect(client.events.at(-1)).toMatchObject({ type: 'Error', code: 'invalid_request' });
});

it.each([
  ['an encoding that cannot be read', { encoding: 'flac' }],
  ['an unknown language', { language: 'xx' }],
  ['a bad rate', { sample_rate: 'fast' }],
])('%s is refused before the connection is a WebSocket', async (_name, change) => {
  const opening = openLive(server.baseUrl, path({ ...QUERY, ...change }), { key: server.ownerKey });
  await expect(opening).rejects.toThrow('422');
});
