import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { randomAlignment } from '#testbed/clients/random-doors.ts';
import { send, wav, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

const PATH = '/v1/audio/alignments';
/** The test server hears 早晨 and 你好媽 in every recording. */
const TEXT = '早晨！\n你好媽。';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Part = [name: string, value: string | Uint8Array];
const align = (parts: readonly Part[], key = server.ownerKey, path = PATH): Promise<Answer> => {
  const body = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value)]), 'file');
  }
  return send(server.baseUrl + path, { method: 'POST', headers: { 'x-api-key': key }, body });
};
const recording: Part = ['file', wav(1.5)];
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

it('answers with sentences, words and characters, and what differs', async () => {
  const { status, body } = await align([recording, ['text', TEXT], ['language', 'yue']]);
  expect([status, body]).toMatchObject([
    200,
    {
      language: 'cantonese',
      segments: [
        { text: '早晨！', start: 0, words: [{ text: '早晨', score: 1, characters: [{ text: '早' }, { text: '晨' }] }] },
        { text: '你好媽。', start: 0.5 },
      ],
      disagreements: [],
    },
  ]);
});

it.each([
  ['srt', /^1\n00:00:00,000 --> 00:00:00,\d+\n早晨！\n\n2\n/],
  ['VTT', /^WEBVTT\n\n00:00:00\.000 -->/],
  ['textgrid', /^File type = "ooTextFile"\nObject class = "TextGrid"\n[\s\S]+name = "characters"/],
])('%s has the sentences, and the text may be a file', async (format, expected) => {
  const text: Part = ['text', Buffer.from(TEXT)];
  const answer = await align([text, ['data', wav(1.5)], ['response_format', format]], server.ownerKey, '/api/align');
  expect(String(answer.body['text'])).toMatch(expected);
});

test('it costs what a transcription costs, of its own account, with the scope of one', async () => {
  const { id, key } = await server.newAccount('pro', ['stt']);
  await align([recording, ['text', TEXT]], key);
  expect((await server.store.quotas.used(id)).stt_seconds).toBe(2);
  const speaker = await server.newAccount('pro', ['tts']);
  expect(codeOf(await align([recording, ['text', TEXT]], speaker.key))).toEqual([403, 'insufficient_scope']);
  const { id: empty, key: small } = await server.newAccount('small', ['stt']);
  for (const text of ['。。', '😀', '\0', 'Привет', 'שלום', 'あいう', '한국어', '™', '٣\n\n々']) {
    expect(codeOf(await align([recording, ['text', text]], small))).toEqual([400, 'text_not_readable']);
  }
  expect((await server.store.quotas.used(empty)).stt_seconds).toBe(0);
});

test.each<[string, Part[], [number, string]]>([
  ['without a text', [recording], [400, 'invalid_request']],
  ['without a recording', [['text', TEXT]], [400, 'missing_file']],
  [
    'with a recording that is none',
    [
      ['file', Buffer.from('no sound')],
      ['text', TEXT],
    ],
    [415, 'unsupported_audio_format'],
  ],
  ['with an unknown format', [recording, ['text', TEXT], ['response_format', 'doc']], [422, 'invalid_parameter']],
  ['with an unknown language', [recording, ['text', TEXT], ['language', 'klingon']], [422, 'invalid_parameter']],
  ['with too long a text', [recording, ['text', Buffer.alloc(3 * 1024 ** 2, 'a')]], [413, 'payload_too_large']],
])('%s it is refused', async (_name, parts, expected) => {
  expect(codeOf(await align(parts))).toEqual(expected);
});

test('random forms are refused or answered, never with a failure of the server', async () => {
  const random = createRandom(17);
  const { key } = await server.newAccount('pro', ['stt']);
  const failures: unknown[] = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const parts = randomAlignment(random);
    const { status } = await align(parts, key);
    if (status >= 500) failures.push([status, parts.map(([name]) => name)]);
  }
  expect(failures).toEqual([]);
});
