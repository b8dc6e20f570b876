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
      audio_duration_secs: 1.5,
    },
  ]);
});

const text = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** A field that a generated client declares as JSON. */
const asJson = (name: string, value: unknown): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`;

test('the fields of a client are read as it sends them: the default before the choice, and lists as JSON', async () => {
  const body = [
    text('diarize', 'true') + text('diarize', 'false') + text('num_speakers', '2') + text('tag_audio_events', 'true'),
    text('timestamps_granularity', 'character') + text('keyterms', '早晨') + text('keyterms', '你好'),
    asJson('additional_formats', [{ format: 'srt', max_characters_per_line: 10 }, { format: 'txt' }]),
    asJson('entity_detection', ['pii']),
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n',
  ].join('');
  const request = Buffer.concat([Buffer.from(body), wav(1.5), Buffer.from('\r\n--b--\r\n')]);
  const headers = { ...key(), 'content-type': 'multipart/form-data; boundary=b' };
  const answer = await send(`${server.baseUrl}/v1/speech-to-text`, { method: 'POST', body: request, headers });
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      words: [{ text: '早', characters: [{ text: '早', start: 0 }] }, {}, {}, {}, {}],
      additional_formats: [
        { requested_format: 'srt', is_base64_encoded: false, content: expect.stringContaining('-->') as string },
        { requested_format: 'txt', content: expect.stringContaining('早晨') as string },
      ],
    },
  ]);
  expect(JSON.stringify(answer.body)).not.toContain('speaker_id');
});

it.each([
  ['webhook', 'true', /webhook.*must be false/],
  ['use_multi_channel', 'true', /use_multi_channel.*multichannel/],
  ['additional_formats', '[{"format":"docx"}]', /additional_formats.*srt or txt/],
  ['additional_formats', '[', /additional_formats.*srt or txt/],
  ['file_format', 'pcm_s16le_16', /file_format.*WAV/],
  ['num_speakers', '0', /num_speakers.*1 to/],
  ['timestamps_granularity', 'line', /timestamps_granularity.*none, word, character/],
])('%s=%s is refused with what is served', async (field, value, message) => {
  const answer = await hear([recording, [field, value]]);
  expect(detailOf(answer)).toEqual([422, 'invalid_parameter']);
  expect(answer.body['message']).toMatch(message);
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
  ['/stream?output_format=pcm_24000', 'audio/l16;rate=24000'],
  ['?output_format=pcm_16000', 'audio/l16;rate=16000'],
  ['?output_format=wav_44100', 'audio/wav'],
  ['?output_format=ulaw_8000', 'audio/mulaw;rate=8000'],
  ['?output_format=alaw_8000', 'audio/alaw;rate=8000'],
  ['?output_format=opus_48000_64', 'audio/ogg'],
])('a text is spoken at %j as %s, with the default voice for one of theirs', async (path, type) => {
  const body = { text: '早晨', model_id: 'eleven_v3', voice_settings: { stability: 0.5, speed: 1.1 } };
  const response = await speak(body, RACHEL + path);
  expect(response.headers.get('content-type')).toContain(type);
  expect([response.status, response.headers.get('x-voice-id-substituted')]).toEqual([200, RACHEL]);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

test('a request of ElevenLabs that is not served is told which ones are', async () => {
  const { status, body } = await send(`${server.baseUrl}/v1/text-to-speech/${RACHEL}/with-timestamps`, {
    ...json('POST', { text: '早晨' }),
    headers: key(),
  });
  expect([status, body['message']]).toEqual([404, expect.stringMatching(/\/v1\/speech-to-text.*\/stream/)]);
});

test('refusals have the detail that their clients read, and cost nothing', async () => {
  const { id, key: secret } = await server.newAccount('pro', ['video']);
  expect(detailOf(await hear([recording], 'jyut_nonsense'))).toEqual([401, 'invalid_api_key']);
  expect(detailOf(await hear([recording], secret))).toEqual([403, 'insufficient_scope']);
  expect(detailOf(await hear([['model_id', 'scribe_v1']]))).toEqual([400, 'missing_file']);
  expect(detailOf(await hear([recording, ['language_code', 'klingon']]))).toEqual([422, 'invalid_parameter']);
  const refusals = [
    [{ text: '早晨' }, `${RACHEL}?output_format=pcm_12345`, 422, /output_format/],
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

it('the models that speak are a bare list for its clients, and an object for others', async () => {
  const models = await (await fetch(`${server.baseUrl}/v1/models`, { headers: key() })).json();
  expect(models).toContainEqual(
    expect.objectContaining({
      can_do_text_to_speech: true,
      languages: expect.arrayContaining([{ language_id: 'yue', name: 'cantonese' }]) as unknown,
    }),
  );
  const { body } = await send(`${server.baseUrl}/v1/models`, { headers: { 'x-api-key': server.ownerKey } });
  expect(body['object']).toBe('list');
  const refused = await send(`${server.baseUrl}/v1/models`, { headers: key('wrong') });
  expect(detailOf(refused)).toEqual([401, 'invalid_api_key']);
});
