import { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { Jyutsing, type LiveEvent } from './index.ts';

let server: TestServer;
let jyut: Jyutsing;
let speech: Buffer;
beforeAll(async () => {
  server = await startTestServer();
  jyut = new Jyutsing({ baseUrl: server.baseUrl, apiKey: server.ownerKey });
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  speech = pcmOf(joinSounds([pause, spoken, pause], 0), 16_000);
});
afterAll(() => server[Symbol.asyncDispose]());

it.each([
  ['of the platform', {}],
  ['of the package ws', { webSocket: WebSocket }],
])('live sound becomes text while it is sent, with the WebSocket %s', async (_, options) => {
  const live = await jyut.listen({ language: 'yue', ...options });
  for (const piece of piecesOf(speech, 3_200)) live.send(piece);
  live.close();
  const events: LiveEvent[] = [];
  for await (const event of live) events.push(event);
  expect(events[0]).toMatchObject({ type: 'speech-start', time: expect.any(Number) as number });
  const final = events.filter((event) => event.type === 'text' && event.isFinal);
  expect(final).toMatchObject([
    { text: expect.stringMatching(/^一二/) as string, words: expect.any(Array) as unknown[] },
  ]);
});

it('a refused connection says why, as every request does', async () => {
  const stranger = new Jyutsing({ baseUrl: server.baseUrl, apiKey: 'wrong' });
  await expect(stranger.listen()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_api_key' });
  await expect(jyut.listen({ language: 'klingon' })).rejects.toMatchObject({ code: 'invalid_parameter', status: 422 });
  await expect(new Jyutsing({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key' }).listen()).rejects.toMatchObject({
    name: 'ConnectionError',
  });
  await expect(new Jyutsing({ baseUrl: server.baseUrl }).listen()).rejects.toThrow('needs an API key');
});

it('without a WebSocket of the platform it says where to give one', async () => {
  vi.stubGlobal('WebSocket', undefined);
  await expect(jyut.listen()).rejects.toThrow('give the class of one to listen({ webSocket })');
  vi.unstubAllGlobals();
});

it('an aborted session ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const live = await jyut.listen({ signal: stop.signal });
  expect(live.bufferedBytes).toBe(0);
  stop.abort(new Error('the user left'));
  const read = async () => {
    for await (const _ of live);
  };
  await expect(read()).rejects.toThrow('the user left');
});
