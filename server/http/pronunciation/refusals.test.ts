import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { form, json, send, wav, type Answer } from '#testbed/clients/requests.ts';
import { scoreForm, scoreWell, type Part, type Score, type ScoreFormChange } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { MAX_RECORDING_BYTES } from './route.ts';

const PATH = '/api/score-pronunciation';

let server: TestServer;
let key: string;
let score: Score;
/** Number of scoring calls. */
let calls: number;
const sound = wav(0.2);
beforeAll(async () => {
  server = await startTestServer({
    scorePronunciation(call, signal) {
      calls += 1;
      return score(call, signal);
    },
  });
  key = (await server.newAccount('pro', ['pronunciation'])).key;
});
beforeEach(() => {
  score = scoreWell;
  calls = 0;
});
afterAll(() => server[Symbol.asyncDispose]());

const post = (...parts: Part[]) => send(server.baseUrl + PATH, form(...parts));
const ask = (change: ScoreFormChange = {}) => post(...scoreForm(key, sound, change));
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

const sendTo = (body: RequestInit['body'] | null, type: string | null, headers: Record<string, string> = {}) =>
  send(server.baseUrl + PATH, {
    method: 'POST',
    body: body ?? null,
    headers: { ...headers, ...(type === null ? {} : { 'content-type': type }) },
  });

describe('a request that cannot be scored is refused in one sentence and leaves nothing behind', () => {
  const many = 'x'.repeat(1_001);
  test.each<[string, ScoreFormChange, number, string, RegExp]>([
    ['no file', { audio: null }, 400, 'missing_file', /"audio"/],
    ['text instead of a file', { audio: 'a.wav' }, 400, 'missing_file', /"audio"/],
    ['no text', { text: null }, 400, 'invalid_request', /"text" is missing/],
    ['a blank text', { text: ' \n\u3000' }, 400, 'invalid_request', /"text" is empty/],
    ['a long text', { text: many }, 400, 'invalid_request', /1000 characters/],
    ['a text of 100 kB', { text: many.repeat(100) }, 400, 'invalid_request', /1000 characters/],
    ['another language', { language: 'klingon' }, 400, 'invalid_request', /cantonese, mandarin or english/],
    ['a language of prototypes', { language: 'constructor' }, 400, 'invalid_request', /cantonese, mandarin or english/],
    ['another language as lang', { lang: 'auto' }, 400, 'invalid_request', /cantonese, mandarin or english/],
    ['an empty file', { audio: new Uint8Array(0) }, 422, 'empty_audio', /empty/],
    ['10 MiB and a byte', { audio: new Uint8Array(MAX_RECORDING_BYTES + 1) }, 413, 'payload_too_large', /10 MiB/],
    ['30 MiB', { audio: new Uint8Array(3 * MAX_RECORDING_BYTES) }, 413, 'payload_too_large', /10 MiB/],
  ])('%s', async (_, change, status, expected, sentence) => {
    const answer = await ask(change);
    expect(code(answer)).toEqual([status, expected]);
    expect(String(answer.body['message'])).toMatch(/^[A-Z][^\n]{10,200}\.$/);
    expect(String(answer.body['message'])).toMatch(sentence);
    expect(calls).toBe(0);
    expect(await server.incoming()).toEqual([]);
  });

  test.each<[ErrorCode, number, ErrorCode]>([
    ['text_not_readable', 400, 'text_not_readable'],
    ['corrupt_audio', 422, 'corrupt_audio'],
    ['unsupported_audio_format', 422, 'corrupt_audio'],
    ['empty_audio', 422, 'empty_audio'],
    ['no_speech', 422, 'no_speech'],
    ['audio_too_long', 422, 'audio_too_long'],
    ['engine_failed', 500, 'engine_failed'],
    ['service_unavailable', 500, 'internal_error'],
    ['engine_unavailable', 503, 'engine_unavailable'],
    ['timed_out', 503, 'timed_out'],
  ])('%s of the scoring worker is %d', async (thrown, status, expected) => {
    score = () => Promise.reject(new AppError(thrown));
    const answer = await ask();
    expect(code(answer)).toEqual([status, expected]);
    expect(String(answer.body['message'])).toMatch(/^[A-Z][^\n]{10,200}\.$/);
    expect(await server.incoming()).toEqual([]);
  });

  test('an unexpected error reveals no details', async () => {
    score = () => Promise.reject(new TypeError('/home/somebody/secret.ts: select * from keys'));
    const answer = await ask();
    expect(code(answer)).toEqual([500, 'internal_error']);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|select/);
  });

  test('a missing key, a missing scope and a blocked account are reported before other errors', async () => {
    const blocked = await server.newAccount('pro');
    await server.store.accounts.update(blocked.id, { blocked: true });
    const other = await server.newAccount('pro', ['stt', 'tts', 'video', 'admin']);
    const bad = { text: null, language: 'klingon', audio: new Uint8Array(0) };
    expect(code(await ask({ ...bad, api_key: null }))).toEqual([401, 'missing_api_key']);
    expect(code(await ask({ ...bad, api_key: ' ' }))).toEqual([401, 'missing_api_key']);
    expect(code(await ask({ ...bad, api_key: 'jyut_wrong' }))).toEqual([401, 'invalid_api_key']);
    expect(code(await ask({ ...bad, api_key: blocked.key }))).toEqual([401, 'account_blocked']);
    expect(code(await ask({ ...bad, api_key: other.key }))).toEqual([403, 'insufficient_scope']);
    const late: Part[] = [
      ['audio', sound],
      ['text', '好'],
      ['api_key', 'jyut_wrong'],
    ];
    expect(code(await post(...late))).toEqual([401, 'invalid_api_key']);
    const large = new Uint8Array(3 * MAX_RECORDING_BYTES);
    expect(code(await ask({ audio: large, api_key: 'jyut_wrong' }))).toEqual([401, 'invalid_api_key']);
    expect(calls).toBe(0);
    expect(await server.incoming()).toEqual([]);
  });

  test('more requests than the plan allows are 429 with Retry-After', async () => {
    const slow = await server.newAccount('slow', ['pronunciation']);
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await ask({ api_key: slow.key }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    const { headers, body } = answers[4]!;
    expect(String(body['error']?.['code'])).toBe('rate_limit_exceeded');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['3', '0']);
    expect(calls).toBe(3);
  });
});

describe('a body that is not a form', () => {
  test('of JSON is refused with a request for a form, wherever its key is and however long it is', async () => {
    const body = { api_key: key, text: '好', audio: 'UklGRg==' };
    expect(code(await send(server.baseUrl + PATH, json('POST', body)))).toEqual([415, 'unsupported_media_type']);
    const { api_key: _, ...rest } = body;
    const answer = await send(server.baseUrl + PATH, json('POST', rest, key));
    expect(code(answer)).toEqual([415, 'unsupported_media_type']);
    expect(String(answer.body['message'])).toMatch(/multipart\/form-data.*"audio".*"text"/);
    const long = { ...body, audio: 'A'.repeat(12_000_000) };
    expect(code(await send(server.baseUrl + PATH, json('POST', long)))).toEqual([415, 'unsupported_media_type']);
    for (const broken of ['{', '', '[]', 'null']) {
      expect(code(await sendTo(broken, 'application/json', { 'x-api-key': key }))[0]).toBe(415);
      expect(code(await sendTo(broken, 'application/json'))).toEqual([401, 'missing_api_key']);
    }
  });

  test('of JSON without a valid key is refused for the key', async () => {
    const wrong = { api_key: 'jyut_wrong', text: '好' };
    expect(code(await send(server.baseUrl + PATH, json('POST', wrong)))).toEqual([401, 'invalid_api_key']);
    expect(code(await send(server.baseUrl + PATH, json('POST', {})))).toEqual([401, 'missing_api_key']);
  });

  test.each(['audio/wav', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'])(
    'of %s is 415, after the key',
    async (type) => {
      expect(code(await sendTo(sound, type, { 'x-api-key': key }))).toEqual([415, 'unsupported_media_type']);
      expect(code(await sendTo(sound, type))).toEqual([401, 'missing_api_key']);
    },
  );

  test('that is empty is refused for its missing file', async () => {
    expect(code(await sendTo(null, null, { 'x-api-key': key }))).toEqual([400, 'missing_file']);
    expect(code(await sendTo(null, null))).toEqual([401, 'missing_api_key']);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="te'],
    ['another boundary', 'multipart/form-data; boundary=x', '--y\r\n\r\n--y--\r\n'],
  ])('a form with %s is malformed', async (_, type, body) => {
    expect(code(await sendTo(body, type, { 'x-api-key': key }))).toEqual([400, 'invalid_request']);
    expect(await server.incoming()).toEqual([]);
  });

  test('a field twice with two values', async () => {
    const twice: Part[] = [
      ['api_key', key],
      ['text', '好'],
      ['text', '你好'],
      ['audio', sound],
    ];
    expect(code(await post(...twice))).toEqual([400, 'invalid_request']);
  });
});
