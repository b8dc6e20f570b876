import { afterAll, beforeAll, expect, it } from 'vitest';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { append, openLive, pcmOf } from '#testbed/clients/live-client.ts';

const SESSION = {
  type: 'session.update',
  session: {
    type: 'transcription',
    include: ['item.input_audio_transcription.logprobs'],
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: {
          model: 'gpt-4o-transcribe',
          language: 'yue',
          languages: ['yue'],
          prompt: '茶樓',
          keywords: ['蝦餃'],
          delay: 'low',
        },
        noise_reduction: { type: 'near_field' },
        turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
      },
    },
  },
};
const EAGER = {
  ...SESSION,
  session: { audio: { input: { turn_detection: { type: 'semantic_vad', eagerness: 'high' } } } },
};
const SOUND = { type: 'input_audio_buffer.append', audio: 'AAAA' };
const BETA = {
  type: 'transcription_session.update',
  session: { input_audio_format: 'pcm16', input_audio_transcription: { language: 'yue' }, turn_detection: null },
};

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const NO_OBJECTS = [null, true, 0, -1, 0.5, 1e308, -(2 ** 53), '', '\0', '\ud800', '__proto__', 'x'.repeat(70_000)];
const OBJECTS = [[], [null], [[]], ['x', 7], nested(500), {}, { type: 'constructor' }, { length: 1e9 }];
const VALUES: readonly unknown[] = [...NO_OBJECTS, ...OBJECTS];

/** The event with each of its values replaced in turn. */
function changesOf(event: object): object[] {
  return pathsIn(event).flatMap((path) => VALUES.map((value) => withValue(event, path, value) as object));
}
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);
}
function withValue(whole: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = whole as Record<string, unknown>;
  const changed = withValue(object[key], rest, value);
  return Array.isArray(object) ? object.with(Number(key), changed) : { ...object, [key]: changed };
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it.each([
  ['an update', SESSION],
  ['an update with the other turn detection', EAGER],
  ['an update of the beta', BETA],
  ['sound', SOUND],
])('hostile values in %s are refused or ignored, and the session goes on', async (_name, event) => {
  const spoken = await speak('hoeng1 gong2 jan4');
  const sentence = pcmOf(joinSounds([spoken, silence(900, spoken.sampleRateHz)], 0), 24_000);
  const client = await openLive(server.baseUrl, '/v1/realtime?intent=transcription', { key: server.ownerKey });
  const events = changesOf(event);
  for (const changed of events) client.send(changed);
  // Answered after all the others.
  client.send({ type: 'session.update', session: SESSION.session, event_id: 'last' });
  client.send({ type: 'input_audio_buffer.clear' });
  await client.next('input_audio_buffer.cleared');
  const codes = new Set(client.all('error').map(({ error }) => error?.code));
  expect(
    [...codes].filter(
      (code) => !['invalid_request', 'invalid_parameter', 'input_audio_buffer_commit_empty'].includes(code!),
    ),
  ).toEqual([]);
  expect(client.all('error').length).toBeLessThan(events.length);
  expect(client.all('error').map(({ error }) => error?.event_id)).not.toContain('last');
  append(client, sentence);
  await expect
    .poll(() => client.all('conversation.item.input_audio_transcription.completed').at(-1)?.transcript)
    .toMatch(/一/);
  client.socket.close();
});
