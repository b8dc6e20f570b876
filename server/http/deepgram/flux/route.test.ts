import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { openLive, pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

const PATH = '/v2/listen?model=flux-general-multi&encoding=linear16&sample_rate=16000&language_hint=yue';

let server: TestServer;
let speech: Buffer;
beforeAll(async () => {
  server = await startTestServer();
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(1_500, spoken.sampleRateHz);
  speech = pcmOf(joinSounds([pause, spoken, pause], 0), 16_000);
});
afterAll(() => server[Symbol.asyncDispose]());

it('the client of Deepgram gets the turns of a conversation', async () => {
  const wss = server.baseUrl.replace('http', 'ws');
  const environment = { base: server.baseUrl, production: wss, agent: wss, agentRest: server.baseUrl };
  const live = await new DeepgramClient({ apiKey: server.ownerKey, environment }).listen.v2.connect({
    model: 'flux-general-multi',
    encoding: 'linear16',
    sample_rate: 16_000,
    language_hint: 'yue',
    Authorization: `Token ${server.ownerKey}`,
  } as never);
  const messages: { type: string; event?: string; turn_index?: number; transcript?: string }[] = [];
  live.on('message', (message) => messages.push(message as never));
  const closed = new Promise<void>((resolve) => live.on('close', () => resolve()));
  live.connect();
  await live.waitForOpen();
  for (const piece of piecesOf(Buffer.concat([speech, speech]), 3_200)) live.sendMedia(piece);
  live.sendCloseStream({ type: 'CloseStream' });
  await closed;
  expect(messages[0]).toMatchObject({ type: 'Connected', sequence_id: 0 });
  const shown = messages.filter(({ type, event }) => type === 'TurnInfo' && event !== 'Update');
  expect(shown.map(({ event, turn_index: index }) => [event, index])).toEqual([
    ['StartOfTurn', 0],
    ['EndOfTurn', 0],
    ['StartOfTurn', 1],
    ['EndOfTurn', 1],
  ]);
  for (const { transcript } of shown.filter(({ event }) => event === 'EndOfTurn')) expect(transcript).toMatch(/^一二/);
});

it('ForceEndTurn ends a turn, Configure says what applies, and unknown messages are harmless', async () => {
  const client = await openLive(server.baseUrl, PATH, { key: server.ownerKey });
  const thresholds = { eot_threshold: 0.9, eager_eot_threshold: null, eot_timeout_ms: null };
  client.send({ type: 'Configure', thresholds, keyterms: ['香港人'] });
  client.send({ type: 'Configure', thresholds: { eot_threshold: 7 } });
  client.send({ type: 'Sing' });
  client.socket.send(speech.subarray(0, -32_000));
  client.send({ type: 'ForceEndTurn' });
  client.send({ type: 'CloseStream' });
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(client.all('ConfigureSuccess')).toMatchObject([{ thresholds: { eot_threshold: 0.9 }, keyterms: ['香港人'] }]);
  expect(client.all('ConfigureFailure')).toMatchObject([
    { code: 'INVALID_CONFIGURATION', description: 'The field "thresholds.eot_threshold" must be at most 0.9.' },
  ]);
  expect(client.all('Warning')).toHaveLength(1);
  expect(client.all('TurnInfo').at(-1)).toMatchObject({
    event: 'EndOfTurn',
    trigger: 'manual',
    languages: ['yue'],
    transcript: expect.stringMatching(/^一二/) as string,
    words: [{ word: '一', start: expect.any(Number) as number, end: expect.any(Number) as number }, {}, {}],
  });
});

it('keys, scopes and the query are checked before, and the account pays', async () => {
  const { id, key } = await server.newAccount('pro', ['stt']);
  const other = await server.newAccount('pro', ['tts']);
  await expect(openLive(server.baseUrl, PATH, { key: other.key })).rejects.toThrow('403');
  await expect(openLive(server.baseUrl, PATH, { key: 'jyut_none' })).rejects.toThrow('401');
  await expect(openLive(server.baseUrl, `${PATH}&eot_threshold=2`, { key })).rejects.toThrow('422');
  const client = await openLive(server.baseUrl, PATH, { key });
  client.socket.send(Buffer.alloc(64_000));
  client.send({ type: 'CloseStream' });
  await client.closed;
  await expect.poll(async () => (await server.store.quotas.used(id)).stt_seconds).toBe(2);
});

it('random frames are answered or ignored, and the server goes on', async () => {
  const random = createRandom(11);
  const values = [
    'Configure',
    'ForceEndTurn',
    'KeepAlive',
    '',
    null,
    5,
    [],
    {},
    'x'.repeat(300),
    { eot_threshold: 'a' },
    [[[]]],
  ];
  const pick = () => values[Math.floor(random() * values.length)];
  const client = await openLive(server.baseUrl, PATH, { key: server.ownerKey });
  for (let frame = 0; frame < 300; frame += 1) {
    const fields = { type: pick(), thresholds: pick(), keyterms: pick(), language_hints: pick() };
    const text = JSON.stringify(fields);
    client.socket.send(random() < 0.2 ? text.slice(0, Math.floor(random() * text.length)) : text);
  }
  client.send({ type: 'CloseStream' });
  expect(await client.closed).toMatchObject({ code: 1000 });
});
