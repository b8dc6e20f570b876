import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { id: string; key: string };
type Fields = Record<string, string>;

async function submit(
  path: string,
  { key }: Account,
  audio: Uint8Array<ArrayBuffer>,
  idempotencyKey: string,
  fields: Fields = {},
): Promise<Answer> {
  const { requestId, ...parts } = fields;
  const file = path.startsWith('/v1') ? 'file' : 'data';
  return send(server.baseUrl + path, {
    ...form(...Object.entries({ api_key: key, ...parts }), [file, audio]),
    headers: { 'idempotency-key': idempotencyKey, ...(requestId && { 'x-request-id': requestId }) },
  });
}
const idOf = ({ body, headers }: Answer) => String(body['data']?.['request_id'] ?? headers.get('x-request-id'));
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const recordsOf = async ({ id }: Account) => (await server.store.transcriptions.list(id, { limit: 100 })).length;
const usedSeconds = async ({ id }: Account) => (await server.store.quotas.used(id)).stt_seconds;

test('20 simultaneous submissions with one key create one record, and all get its id', async () => {
  const account = await server.newAccount('small');
  const audio = wav(7);
  const blobs = (await server.blobs()).length;
  server.state.workIsHeld = true;
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit('/api/stt', account, audio, 'the key')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(idOf)).size).toBe(1);
  expect(await recordsOf(account)).toBe(1);
  expect(await usedSeconds(account)).toBe(7);
  expect(await server.blobs()).toHaveLength(blobs + 1);
  expect(await server.incoming()).toEqual([]);
  server.state.workIsHeld = false;
});

test('the same request on every endpoint returns the same record, and waiting calls get its text', async () => {
  const account = await server.newAccount('small');
  const audio = wav(6);
  const first = await submit('/api/stt', account, audio, 'k');
  const waiting = await submit('/', account, audio, 'k');
  expect(waiting.body).toMatchObject({ text: '早晨 你好媽' });
  expect(waiting.body).not.toHaveProperty('is_cached');
  expect(idOf(waiting)).toBe(idOf(first));
  expect(idOf(await submit('/api/stt', account, audio, 'k', { wait_for_completion: '1' }))).toBe(idOf(first));
  expect(await submit('/api/stt', account, audio, 'k')).toMatchObject({
    body: { data: { request_id: idOf(first), status: 'processing' } },
  });
  expect(await recordsOf(account)).toBe(1);
  expect(await usedSeconds(account)).toBe(6);
});

test('the OpenAI endpoint recognizes a repeated request, streamed or not', async () => {
  const account = await server.newAccount('pro');
  for (const stream of ['false', 'true']) {
    const audio = wav(2);
    const answers = [];
    for (let round = 0; round < 3; round += 1) {
      answers.push(await submit('/v1/audio/transcriptions', account, audio, `openai ${stream}`, { stream }));
    }
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => String(body['text']))).size).toBe(1);
  }
});

test('calls that wait with one X-Request-Id and one key are one call', async () => {
  const account = await server.newAccount('pro');
  const audio = wav(1);
  const id = crypto.randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => submit('/', account, audio, 'both', { requestId: id })),
  );
  expect(answers.map(idOf)).toEqual(Array.from({ length: 5 }, () => id));
  expect(await recordsOf(account)).toBe(1);
});

test('the same key with another file, other options or another callback is refused, and changes nothing', async () => {
  const account = await server.newAccount('pro');
  const audio = wav(1);
  await submit('/api/stt', account, audio, 'k', { context: 'a' });
  const different: [Uint8Array<ArrayBuffer>, Fields][] = [
    [wav(1), { context: 'a' }],
    [audio, {}],
    [audio, { context: 'b' }],
    [audio, { context: 'a', with_timestamp: '1' }],
    [audio, { context: 'a', callback_url: 'https://example.com/' }],
  ];
  for (const [file, fields] of different) {
    expect(codeOf(await submit('/api/stt', account, file, 'k', fields))).toEqual([422, 'invalid_parameter']);
  }
  expect(await recordsOf(account)).toBe(1);
  expect(codeOf(await submit('/api/stt', account, wav(1), 'another key'))).toEqual([200, 'undefined']);
});

test('accounts do not share idempotency keys', async () => {
  const [one, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
  const audio = wav(1);
  expect(idOf(await submit('/api/stt', one, audio, 'k'))).not.toBe(idOf(await submit('/api/stt', other, audio, 'k')));
});

test('a failed transcription is the answer to its request; a refused request leaves its key free', async () => {
  const account = await server.newAccount('small');
  const audio = wav(1);
  for (let round = 0; round < 2; round += 1) {
    expect(codeOf(await submit('/', account, audio, 'fails', { context: 'FAIL' }))).toEqual([422, 'corrupt_audio']);
  }
  expect(await recordsOf(account)).toBe(1);
  expect(codeOf(await submit('/', account, wav(11), 'refused'))).toEqual([429, 'quota_exceeded']);
  expect(codeOf(await submit('/', account, wav(2), 'refused'))).toEqual([200, 'undefined']);
});

test('an accepted request is answered even if the server would refuse it now', async () => {
  const account = await server.newAccount('pro');
  const corpus = { name: 'names', entries: [{ text: '陳大文' }] };
  const made = await send(`${server.baseUrl}/api/corpora`, {
    method: 'POST',
    headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
    body: JSON.stringify(corpus),
  });
  const id = String(made.body['corpus']!['id']);
  const audio = wav(1);
  const first = await submit('/api/stt', account, audio, 'k', { corpus_ids: id });
  await send(`${server.baseUrl}/api/corpora/${id}`, { method: 'DELETE', ...withKey(account.key) });
  expect(idOf(await submit('/api/stt', account, audio, 'k', { corpus_ids: id }))).toBe(idOf(first));
});

test('deleting a transcription frees its key', async () => {
  const account = await server.newAccount('pro');
  const audio = wav(1);
  const first = idOf(await submit('/api/stt', account, audio, 'k'));
  await send(`${server.baseUrl}/api/speech-to-text/${first}`, { method: 'DELETE', ...withKey(account.key) });
  expect(idOf(await submit('/api/stt', account, audio, 'k'))).not.toBe(first);
});

test('keys that are empty, too long or not printable are refused; all others are kept as they are', async () => {
  const account = await server.newAccount('pro');
  const audio = wav(1);
  for (const key of ['', ' ', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    expect([key, ...codeOf(await submit('/api/stt', account, audio, key))]).toEqual([key, 400, 'invalid_request']);
  }
  for (const key of [
    'x'.repeat(255),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    "'; drop table x; --",
    '~!@#%',
    'a, b',
  ]) {
    const first = idOf(await submit('/api/stt', account, audio, key));
    expect([key, idOf(await submit('/api/stt', account, audio, key))]).toEqual([key, first]);
  }
});
