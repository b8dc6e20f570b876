import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { append, openLive, pcmOf, type LiveClient } from '#testbed/clients/live-client.ts';

// The tests send what voice agents send, in their order. Each agent ends its stream at any event
// `error`.

const DELTA = 'conversation.item.input_audio_transcription.delta';
const COMPLETED = 'conversation.item.input_audio_transcription.completed';
const FORMAT = { type: 'audio/pcm', rate: 24_000 };

let server: TestServer;
let sentence: Buffer;
beforeAll(async () => {
  server = await startTestServer();
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  sentence = pcmOf(joinSounds([pause, spoken, pause], 0), 24_000);
});
afterAll(() => server[Symbol.asyncDispose]());

const connect = (query: string) => openLive(server.baseUrl, `/v1/realtime?${query}`, { key: server.ownerKey });
const update = (client: LiveClient, input: object) =>
  client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });

async function expectText(client: LiveClient, count: number): Promise<void> {
  await expect.poll(() => client.all(COMPLETED).length, { timeout: 60_000 }).toBe(count);
  for (const { transcript } of client.all(COMPLETED)) expect(transcript).toMatch(/^一二/);
  expect(client.all(DELTA).length).toBeGreaterThanOrEqual(count);
  expect(client.all('error')).toEqual([]);
}

describe('LiveKit agents', () => {
  const turnDetection = { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 600, silence_duration_ms: 350 };

  it.each([
    { model: 'gpt-4o-transcribe', language: 'yue' },
    { model: 'gpt-live-transcribe', keywords: ['茶樓'], languages: ['zh', 'en'] },
    { model: 'gpt-4o-transcribe', language: 'fr' },
  ])('get live and final text with %j', async (transcription) => {
    const client = await connect(`intent=transcription&model=${transcription.model}`);
    // At once, without waiting for `session.created`, and sound before the answer.
    update(client, { format: FORMAT, transcription, turn_detection: turnDetection });
    append(client, sentence, 2_400);
    await expectText(client, 1);
    const item = client.all(COMPLETED)[0]?.item_id;
    const started = client.all('input_audio_buffer.speech_started')[0];
    const stopped = client.all('input_audio_buffer.speech_stopped')[0];
    expect([started?.item_id, stopped?.item_id]).toEqual([item, item]);
    expect(stopped?.audio_end_ms).toBeGreaterThan(started?.audio_start_ms ?? Infinity);
    client.socket.close();
  });

  it('that find the ends of speech themselves commit beside the turn detection', async () => {
    const client = await connect('intent=transcription&model=gpt-realtime-whisper');
    update(client, { format: FORMAT, transcription: { model: 'gpt-realtime-whisper', language: 'yue' } });
    append(client, sentence, 2_400);
    client.send({ type: 'input_audio_buffer.commit' });
    const withText = () => client.all(COMPLETED).filter(({ transcript }) => transcript !== '');
    await expect.poll(() => withText().length, { timeout: 60_000 }).toBe(1);
    expect(client.all('error')).toEqual([]);
    client.socket.close();
  });
});

/** Sound is sent as soon as the connection is open, and the settings after `session.created`. */
const configurePipecat = async (client: LiveClient, more: object) => {
  append(client, Buffer.alloc(24_000), 960);
  await client.next('session.created');
  const transcription = { model: 'gpt-realtime-whisper', language: 'zh' };
  update(client, { format: FORMAT, transcription, noise_reduction: { type: 'near_field' }, ...more });
  await client.next('session.updated');
};

describe('Pipecat', () => {
  it('commits at the ends of speech that it finds itself, and changes settings between', async () => {
    const client = await connect('intent=transcription');
    await configurePipecat(client, { turn_detection: null });
    append(client, sentence, 960);
    client.send({ type: 'input_audio_buffer.commit' });
    await expectText(client, 1);
    // Changed settings come whole, without what was never set.
    update(client, { format: FORMAT, transcription: { model: 'whisper-1', language: 'yue' }, turn_detection: null });
    append(client, sentence, 960);
    client.send({ type: 'input_audio_buffer.commit' });
    await expectText(client, 2);
    expect(client.all('input_audio_buffer.speech_started')).toEqual([]);
    client.socket.close();
  });

  it.each([{}, { turn_detection: { type: 'server_vad', threshold: 0.5 } }])(
    'leaves the ends of speech to the server with %j',
    async (turnDetection) => {
      const client = await connect('intent=transcription');
      await configurePipecat(client, turnDetection);
      append(client, sentence, 960);
      append(client, sentence, 960);
      await expectText(client, 2);
      expect(client.all('input_audio_buffer.speech_started')).toHaveLength(2);
      client.socket.close();
    },
  );
});
