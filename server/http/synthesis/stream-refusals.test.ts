import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, send, type Answer } from '#testbed/clients/requests.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['tts']);
  Object.assign(server.state, newSpeakingState());
});
afterAll(() => server[Symbol.asyncDispose]());

const url = () => `${server.baseUrl}/api/tts-stream`;
const REQUEST = { text: '早晨', voice_id: 'jasmine' };
const ask = (change: object = {}, key: string | null = account.key) =>
  send(url(), json('POST', { ...REQUEST, ...change }, key ?? undefined));
const refusal = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const usedBy = async ({ id }: { id: string }) => (await server.store.quotas.used(id)).tts_characters;

test('refusals have this order: key, rate, scope, plan, fields, voice, empty text, quota', async () => {
  const bad = { text: '', voice_id: '', language: 'klingon' };
  expect(refusal(await ask(bad, null))).toEqual([401, 'missing_api_key']);
  expect(refusal(await ask({ ...bad, api_key: 'jyut_nonsense' }, null))).toEqual([401, 'invalid_api_key']);
  const slow = await server.newAccount('slow', ['stt']);
  for (let i = 0; i < 3; i += 1) expect(refusal(await ask(bad, slow.key))).toEqual([403, 'insufficient_scope']);
  expect(refusal(await ask(bad, slow.key))).toEqual([429, 'rate_limit_exceeded']);
  const free = await server.newAccount('free', ['tts']);
  expect(refusal(await ask(bad, free.key))).toEqual([403, 'plan_required']);
  const poor = await server.newAccount('talkative', ['tts']);
  expect(refusal(await ask({ text: '😀'.repeat(200), voice_id: 'x', temperature: 3 }, poor.key))).toEqual([
    400,
    'invalid_request',
  ]);
  expect(refusal(await ask({ text: '😀'.repeat(200), voice_id: 'x' }, poor.key))).toEqual([404, 'voice_not_found']);
  expect(refusal(await ask({ text: '😀'.repeat(200) }, poor.key))).toEqual([400, 'invalid_request']);
  server.state.isSynthesisMissing = true;
  expect(refusal(await ask({ text: '好'.repeat(101) }, poor.key))).toEqual([429, 'quota_exceeded']);
  expect(refusal(await ask({ text: '好'.repeat(100) }, poor.key))).toEqual([502, 'upstream_unavailable']);
  expect(server.state.calls).toEqual([]);
  expect(await usedBy(poor)).toBe(0);
});

test.each<[string, object]>([
  ['text that is not there', { text: undefined }],
  ['null as text', { text: null }],
  ['empty text', { text: '' }],
  ['spaces', { text: ' \u3000\n\u{FEFF}\u00a0' }],
  ['a number as text', { text: 5 }],
  ['a list as text', { text: ['早晨'] }],
  ['an object as text', { text: { toString: '早晨' } }],
  ['5,001 characters', { text: '好'.repeat(5_001) }],
  ['5,001 emoji', { text: '\u{1F600}'.repeat(5_001) }],
  ['5,000 emoji without a spoken form', { text: '\u{1F600}'.repeat(5_000) }],
  ['marks alone', { text: '……！？' }],
  ['characters without width', { text: '\u200b\u200e\u202e\u2060' }],
  ['control characters', { text: '\u0000\u0007\u001b' }],
  ['half a pair of surrogates', { text: '\u{D83D}' }],
  ['voice_id that is not there', { voice_id: undefined }],
  ['an empty voice_id', { voice_id: ' ' }],
  ['a number as voice_id', { voice_id: 1 }],
  ['a list as voice_id', { voice_id: ['jasmine'] }],
  ['another language', { language: 'French' }],
  ['a language that is not streamed', { language: 'mandarin' }],
  ['an empty language', { language: '' }],
  ['a language that is a property of objects', { language: '__proto__' }],
  ['a list as language', { lang: ['Chinese'] }],
  ['a temperature too low', { temperature: -0.1 }],
  ['a temperature too high', { temperature: 2.1 }],
  ['a temperature that is no number', { temperature: 'warm' }],
  ['an empty temperature', { temperature: '' }],
  ['true as temperature', { temperature: true }],
  ['top_p of nothing', { top_p: 0 }],
  ['top_p above all', { top_p: 1.0001 }],
  ['a list as top_p', { top_p: [0.5] }],
])('400: %s', async (_, change) => {
  const answer = await ask(change);
  expect(refusal(answer)).toEqual([400, 'invalid_request']);
  expect(answer.body).toMatchObject({
    success: false,
    message: expect.stringMatching(/\.$/),
    error: { type: 'invalid_request_error' },
  });
  expect(server.state.calls).toEqual([]);
  expect(await usedBy(account)).toBe(0);
});

test('a language that is not streamed is refused with those that are', async () => {
  for (const field of ['language', 'lang']) {
    const { body } = await ask({ [field]: 'mandarin' });
    expect(body['message']).toBe(
      `The field "${field}" must be Chinese (Cantonese) or English, or a code of one (yue, zh-HK; en …).`,
    );
  }
});

test.each([
  'no-such-voice',
  '../../etc/passwd',
  '..%2f..%2fsample',
  'jasmine\0',
  'JASMINE',
  '__proto__',
  'constructor',
  "' or 1=1--",
  '\u202eenimsaj',
  '聲',
  'x'.repeat(4_999),
  '00000000-0000-0000-0000-000000000000',
])('404: the voice %j', async (voice_id) => {
  expect(refusal(await ask({ voice_id }))).toEqual([404, 'voice_not_found']);
});

test('404: a voice of another account', async () => {
  const voice = await server.voices.create(account.id, {
    name: 'mine',
    language: null,
    gender: null,
    description: null,
    transcript: null,
    engine: null,
    consent: true,
    samplePath: server.samplePath,
  });
  expect((await ask({ voice_id: voice.id })).status).toBe(200);
  const other = await server.newAccount('pro', ['tts']);
  expect(refusal(await ask({ voice_id: voice.id }, other.key))).toEqual([404, 'voice_not_found']);
});

test.each<[string, number, string]>([
  ['', 400, 'invalid_request'],
  ['{', 400, 'invalid_request'],
  ['null', 400, 'invalid_request'],
  ['[]', 400, 'invalid_request'],
  ['"text"', 400, 'invalid_request'],
  ['['.repeat(100_000), 400, 'invalid_request'],
  [`{"text": "${'x'.repeat(2_000_000)}"}`, 413, 'payload_too_large'],
])('a body that is not a JSON object is refused (case %#)', async (body, status, code) => {
  const headers = { 'content-type': 'application/json', 'x-api-key': account.key };
  expect(refusal(await send(url(), { method: 'POST', headers, body }))).toEqual([status, code]);
});

test.each(['', '{', 'null', '[]', '"text"'])(
  'the refusal of the body %j without a key is about the key',
  async (body) => {
    const headers = { 'content-type': 'application/json' };
    expect(refusal(await send(url(), { method: 'POST', headers, body }))).toEqual([401, 'missing_api_key']);
  },
);

test('a form and other methods than POST are refused', async () => {
  const headers = { 'content-type': 'text/plain', 'x-api-key': account.key };
  expect(refusal(await send(url(), { method: 'POST', headers, body: 'text=早晨' }))).toEqual([
    415,
    'unsupported_media_type',
  ]);
  expect(refusal(await send(url()))).toEqual([405, 'method_not_allowed']);
});

test('characters without a reading are refused before the first byte, unless their reading follows', async () => {
  const sentence = '今日天氣好好，我哋一齊去飲茶食點心。';
  const answer = await ask({ text: `${sentence.repeat(9)}我識寫𪚥呢個字。` });
  expect([refusal(answer), answer.body['error']?.['message']]).toEqual([
    [400, 'text_not_readable'],
    'No reading is known of 𪚥: leave it out, write another character, or write its reading in brackets after it.',
  ]);
  expect((await ask({ text: '我識寫𪚥(dip6)呢個字。' })).status).toBe(200);
});

test('unusual but valid requests are synthesized: nested fields, escapes, mixed scripts, markup, many spaces', async () => {
  for (const text of [
    '早晨\u0000\u001b[31m',
    '\u202e早晨',
    'שלום 早晨',
    '<b onclick="alert(1)">你好</b>',
    `早${' '.repeat(4_000)}晨`,
    '\u{1F600}早\u{1F600}',
    '{{7*7}} ${x}',
    'I\u0301 am',
  ]) {
    expect([text, (await ask({ text })).status]).toEqual([text, 200]);
  }
  const body = `{"__proto__": {"text": "x"}, "constructor": 1, "text": "早晨", "voice_id": "jasmine", "api_key": "${account.key}"}`;
  expect((await send(url(), { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status).toBe(
    200,
  );
});
