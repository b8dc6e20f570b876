import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { decodeFile } from '#testbed/clients/decode-sound.ts';
import { openLive, type LiveClient } from '#testbed/clients/live-client.ts';
import { randomTurnFrame } from '#testbed/clients/random-doors.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Deepgram's own client, unchanged. */
function deepgram(): DeepgramClient {
  const wss = server.baseUrl.replace('http', 'ws');
  const environment = { base: server.baseUrl, production: wss, agent: wss, agentRest: server.baseUrl };
  return new DeepgramClient({ apiKey: server.ownerKey, environment, maxRetries: 0 });
}

const connect = (query = '') =>
  openLive(server.baseUrl, `/v2/speak?model=flux-alexis-en${query}`, { key: server.ownerKey });

type Message = { type: string } & Record<string, unknown>;
const typesOf = ({ events }: LiveClient) => events.map(({ type }) => type);
const bytesOf = ({ sounds }: LiveClient) => sounds.reduce((sum, { length }) => sum + length, 0);

const TURN = '早晨。今日天氣好好。';
/** 16-bit samples at 24,000 Hz. */
const BYTES_PER_MS = 48;

describe('the client of Deepgram', () => {
  it('gets a file of POST /v2/speak', async () => {
    const answer = await deepgram().speak.v2.audio.generate({ text: TURN, model: 'flux-alexis-en', speed: 1.2 });
    expect((await decodeFile(Buffer.from(await answer.arrayBuffer()))).channels[0]!.length).toBeGreaterThan(5_000);
  });

  it('speaks turns, is told of each, and changes the speed between them', async () => {
    const live = await deepgram().speak.v2.connect({
      model: 'flux-alexis-en',
      encoding: 'linear16',
      sample_rate: '16000',
      speed: 1.1,
      Authorization: `Token ${server.ownerKey}`,
    });
    const messages: Message[] = [];
    let bytes = 0;
    live.on('message', (message: unknown) => {
      if (message instanceof Blob) bytes += message.size;
      else if (ArrayBuffer.isView(message) || message instanceof ArrayBuffer) bytes += message.byteLength;
      else messages.push(message as Message);
    });
    const closed = new Promise<void>((resolve) => live.on('close', () => resolve()));
    live.connect();
    await live.waitForOpen();
    for (const part of ['早晨。', '今日', '天氣好好。']) live.sendSpeak({ type: 'Speak', text: part });
    live.sendFlush({ type: 'Flush' });
    live.sendConfigure({ type: 'Configure', speed: 0.9 });
    live.sendSpeak({ type: 'Speak', text: '再見。' });
    live.sendFlush({ type: 'Flush' });
    live.sendClose({ type: 'Close' });
    await closed;
    const turns = ['SpeechStarted', 'SpeechMetadata', 'Flushed'];
    expect(messages.map(({ type }) => type).filter((type) => type !== 'ConfigureSuccess')).toEqual([
      'Connected',
      ...turns,
      ...turns,
      'SessionMetadata',
    ]);
    expect(messages.find(({ type }) => type === 'ConfigureSuccess')).toMatchObject({ applied: { speed: 0.9 } });
    const [first, second] = messages.filter(({ type }) => type === 'SpeechMetadata');
    expect(first).toMatchObject({ input_character_count: TURN.length, billable_character_count: TURN.length });
    expect(first!['speech_id']).toMatch(/^dg_sp_[0-9a-f]{12}$/);
    const totalMs = Number(first!['audio_duration_ms']) + Number(second!['audio_duration_ms']);
    expect(Math.abs(totalMs - bytes / 32)).toBeLessThan(2);
    expect(messages.at(-1)).toMatchObject({ total_billable_character_count: TURN.length + 3 });
  });
});

describe('the WebSocket /v2/speak', () => {
  it('says what was heard of a turn that is interrupted while it is played', async () => {
    const client = await connect();
    client.send({ type: 'Interrupt' });
    expect(await client.next('Warning')).toMatchObject({ code: 'NO_AUDIO_GENERATED' });
    client.send({ type: 'Speak', text: TURN });
    client.send({ type: 'Flush' });
    await client.next('Flushed');
    const value = bytesOf(client) / BYTES_PER_MS / 2;
    client.send({ type: 'Interrupt', playback_offset: { type: 'time_ms', value } });
    const {
      text_spoken: spoken,
      text_remaining: remaining,
      ...rest
    } = (await client.next('SpeechInterrupted')) as unknown as Record<string, string>;
    expect(spoken + remaining!).toBe(TURN);
    expect(spoken).toMatch(/^早晨。今/);
    expect(remaining).toMatch(/好。$/);
    expect(rest).toMatchObject({
      audio_played_ms: Math.round(value),
      metadata: { input_character_count: TURN.length },
    });
    client.send({ type: 'Interrupt', playback_offset: { type: 'time_ms', value: value + 1 } });
    expect(await client.next('Warning', 1)).toMatchObject({ code: 'NO_ACTIVE_SPEECH' });
    client.send({ type: 'Close' });
    expect(await client.next('SessionMetadata')).toMatchObject({ total_audio_duration_ms: Math.round(value) });
    await client.closed;
  });

  it('stops all turns at an interruption without an offset, and speaks the next', async () => {
    const client = await connect();
    client.send({ type: 'Speak', text: '早。'.repeat(300) });
    client.send({ type: 'Flush' });
    client.send({ type: 'Speak', text: '仲有。' });
    client.send({ type: 'Flush' });
    await client.next('SpeechStarted');
    while (client.sounds.length === 0) await new Promise((resolve) => client.socket.once('message', resolve));
    client.send({ type: 'Interrupt' });
    const interrupted = await client.next('SpeechInterrupted');
    expect(interrupted).not.toHaveProperty('text_spoken');
    client.send({ type: 'Speak', text: '早晨。' });
    client.send({ type: 'Flush' });
    await client.next('Flushed');
    expect(typesOf(client).filter((type) => type !== 'Connected')).toEqual([
      'SpeechStarted',
      'SpeechInterrupted',
      'SpeechStarted',
      'SpeechMetadata',
      'Flushed',
    ]);
    client.send({ type: 'Close' });
    expect(await client.closed).toMatchObject({ code: 1000 });
  });

  it('completes a turn without words with a warning, and refuses what it cannot do', async () => {
    const client = await connect();
    client.send({ type: 'Flush' });
    client.send({ type: 'Speak', text: ' … ' });
    client.send({ type: 'Flush' });
    expect(await client.next('SpeechMetadata')).toMatchObject({ audio_duration_ms: 0, billable_character_count: 0 });
    client.send({ type: 'Configure', speed: 9 });
    expect(await client.next('ConfigureFailure')).toMatchObject({
      code: 'SPEED_OUT_OF_RANGE',
      field: 'speed',
      value: 9,
    });
    client.send({ type: 'Clear' });
    await client.next('Warning', 2);
    expect(client.all('Warning').map((warning) => (warning as unknown as { code: string }).code)).toEqual([
      'NO_ACTIVE_SPEECH',
      'NO_SYNTHESIZABLE_TEXT',
      'UNKNOWN_MESSAGE',
    ]);
    client.send({ type: 'Close' });
    await client.closed;
    await expect(connect('&encoding=mp3')).rejects.toThrow(/422/);
  });

  it('reports what a stopped turn is charged', async () => {
    const { id, key } = await server.newAccount('pro', ['tts']);
    const client = await openLive(server.baseUrl, '/v2/speak', { key });
    client.send({ type: 'Speak', text: `${'早晨各位'.repeat(200)}。` });
    client.send({ type: 'Flush' });
    while (client.sounds.length === 0) await new Promise((resolve) => client.socket.once('message', resolve));
    client.send({ type: 'Interrupt' });
    expect(await client.next('SpeechInterrupted')).toMatchObject({ metadata: { billable_character_count: 801 } });
    client.send({ type: 'Close' });
    expect(await client.next('SessionMetadata')).toMatchObject({ total_billable_character_count: 801 });
    expect((await server.store.quotas.used(id)).tts_characters).toBe(801);
    await client.closed;
  });

  it('gives one reason for a turn that the quota does not cover or that is too long', async () => {
    const { key } = await server.newAccount('small', ['tts']);
    const client = await openLive(server.baseUrl, '/v2/speak', { key });
    for (const text of ['早晨。', '早'.repeat(5_001)]) {
      client.send({ type: 'Speak', text });
      client.send({ type: 'Flush' });
    }
    client.send({ type: 'Close' });
    await client.next('SessionMetadata');
    const codes = client.all('Warning').map((warning) => (warning as unknown as { code: string }).code);
    expect(codes.toSorted()).toEqual(['payload_too_large', 'quota_exceeded']);
    await client.closed;
  });

  test('random messages end no connection with a failure of the server', async () => {
    const random = createRandom(32);
    const client = await connect();
    for (let attempt = 0; attempt < 80; attempt += 1) client.socket.send(randomTurnFrame(random));
    client.send({ type: 'Close' });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(client.all('Error')).toEqual([]);
  });
});
