import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { form, json, send, wav, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

/*
 * The requests of elevenlabs/elevenlabs-js (src/api/resources/speechToText/client,
 * src/api/resources/textToSpeech/client): the key in `xi-api-key`; none of its code is here.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Part = Parameters<typeof form>[0];
const RACHEL = '21m00Tcm4TlvDq8ikWAM';
const key = (secret = server.ownerKey) => ({ 'xi-api-key': secret });
const hear = (fields: Part[], secret?: string) =>
  send(`${server.baseUrl}/v1/speech-to-text`, { ...form(...fields), headers: key(secret) });
const speak = (body: object, path = RACHEL, secret?: string) => {
  const request = json('POST', body);
  return fetch(`${server.baseUrl}/v1/text-to-speech/${path}`, {
    ...request,
    headers: { ...(request.headers as Record<string, string>), ...key(secret) },
  });
};
const recording: Part = ['file', wav(1.5)];
const detailOf = ({ status, body }: Answer) => [status, (body['detail'] as unknown as { status: string }).status];

it('a recording is answered with its words', async () => {
  const { status, body } = await hear([['model_id', 'scribe_v1'], recording, ['language_code', 'yue']]);
  expect([status, body]).toMatchObject([
    200,
    {
      language_code: 'yue',
      text: '早晨 你好媽',
      words: [{ text: '早', type: 'word', start: 0 }, {}, {}, {}, {}],
      transcription_id: expect.any(String) as string,
    },
  ]);
});

it('other clients of the same path are answered as before', async () => {
  const answer = await send(`${server.baseUrl}/v1/speech-to-text`, {
    ...form(['data', wav(1.5)]),
    headers: { 'x-api-key': server.ownerKey },
  });
  expect(answer.body).toHaveProperty('process_time');
});

it.each([
  ['', 'audio/mpeg'],
  ['/stream?output_format=pcm_24000', 'audio/pcm'],
  ['?output_format=opus_48000_64', 'audio/ogg'],
])('a text is spoken at %j as %s, with the default voice for one of theirs', async (path, type) => {
  const body = { text: '早晨', model_id: 'eleven_v3', voice_settings: { stability: 0.5, speed: 1.1 } };
  const response = await speak(body, RACHEL + path);
  expect(response.headers.get('content-type')).toContain(type);
  expect([response.status, response.headers.get('x-voice-id-substituted')]).toEqual([200, RACHEL]);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

test('refusals have the detail that their clients read, and cost nothing', async () => {
  const { id, key: secret } = await server.newAccount('pro', ['video']);
  expect(detailOf(await hear([recording], 'jyut_nonsense'))).toEqual([401, 'invalid_api_key']);
  expect(detailOf(await hear([recording], secret))).toEqual([403, 'insufficient_scope']);
  expect(detailOf(await hear([['model_id', 'scribe_v1']]))).toEqual([400, 'missing_file']);
  expect(detailOf(await hear([recording, ['language_code', 'klingon']]))).toEqual([422, 'invalid_parameter']);
  const refusals = [
    [{ text: '早晨' }, `${RACHEL}?output_format=ulaw_8000`, 422, /output_format/],
    [{ text: '' }, RACHEL, 422, /"text"/],
    [{ text: '早晨' }, 'nobody', 404, /voice/],
    [{}, RACHEL, 400, /"text"/],
  ] as const;
  for (const [body, path, status, message] of refusals) {
    const response = await speak(body, path);
    const { detail } = (await response.json()) as { detail: { message: string } };
    expect([path, response.status]).toEqual([path, status]);
    expect(detail.message).toMatch(message);
  }
  expect((await server.store.quotas.used(id)).tts_characters).toBe(0);
});
