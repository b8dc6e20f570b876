import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, json, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Fields = Record<string, string>;
type Account = { id: string; key: string };
const newAccount = (plan = 'pro'): Promise<Account> => server.newAccount(plan);

/** Waits for the text of a recording. */
const transcribe = (audio: Uint8Array<ArrayBuffer>, { key }: Account, fields: Fields = {}): Promise<Answer> =>
  send(`${server.baseUrl}/`, form(...Object.entries({ api_key: key, ...fields }), ['data', audio]));
const usedSeconds = async ({ id }: Account) => (await server.store.quotas.used(id)).stt_seconds;
const recordOf = async ({ headers }: Answer) => server.store.transcriptions.find(headers.get('x-request-id') ?? '');
const call = (method: string, path: string, { key }: Account) =>
  send(server.baseUrl + path, { method, ...withKey(key) });
const pathOf = ({ headers }: Answer) => `/api/speech-to-text/${headers.get('x-request-id')}`;
const isCached = async (...request: Parameters<typeof transcribe>) => {
  const { status, body } = await transcribe(...request);
  return status === 200 ? (body['is_cached'] ?? false) : status;
};

test('a repeated recording is answered from the cache at once, free of charge, and its upload is deleted', async () => {
  const account = await newAccount('small');
  const audio = wav(9.5);
  const first = await transcribe(audio, account, { context: 'FUSE' });
  expect(first.body).toEqual({ text: '早晨 你好嗎', duration: '9.500000', process_time: 0.5 });
  const blobs = await server.blobs();
  // The quota of ten seconds is used up.
  expect(await usedSeconds(account)).toBe(10);
  const second = await transcribe(audio, account, { context: 'FUSE' });
  expect(second.body).toEqual({ text: '早晨 你好嗎', duration: '9.500000', process_time: 0, is_cached: true });
  expect(await usedSeconds(account)).toBe(10);
  expect(await server.blobs()).toEqual(blobs);
  expect(await server.incoming()).toEqual([]);
  expect(await recordOf(second)).toMatchObject({ status: 'completed', blobKey: null, creditsUsed: 0 });

  const submitted = await send(
    `${server.baseUrl}/api/stt`,
    form(['api_key', account.key], ['context', 'FUSE'], ['data', audio]),
  );
  expect(submitted.body).toMatchObject({ success: true, data: { status: 'processing' } });
  const { body } = await call('GET', `/api/speech-to-text/${String(submitted.body['data']!['request_id'])}`, account);
  expect(body['transcription']).toMatchObject({
    status: 'completed',
    duration_s: 9.5,
    output_language: 'cantonese',
    backend: 'test',
    fused_transcription: '早晨 你好嗎',
    processing_time: 0,
    transcription_time: 0,
    fusion_time: 0,
    credits_used: 0,
    is_cached: true,
  });
});

test('a cached result has the format of the new request', async () => {
  const account = await newAccount();
  const audio = wav(1);
  expect(await isCached(audio, account)).toBe(false);
  const { body } = await transcribe(audio, account, { with_timestamp: 'true' });
  expect(body).toMatchObject({ is_cached: true, text: '1\n00:00:00,000 --> 00:00:01,000\n早晨 你好媽\n\n' });
});

test('other options, another recording or another engine are not answered from the cache', async () => {
  const account = await newAccount();
  const audio = wav(1);
  const different: Fields[] = [
    {},
    { context: 'FUSE' },
    { context: 'FUSE', skip_fusion: 'true' },
    { context: 'another' },
    { lang: 'auto' },
    { lang: 'mandarin' },
    { model: 'test' },
  ];
  for (const fields of different) expect([fields, await isCached(audio, account, fields)]).toEqual([fields, false]);
  for (const fields of different) expect([fields, await isCached(audio, account, fields)]).toEqual([fields, true]);
  expect(await isCached(audio, account, { context: 'FUSE', corpus_ids: 'none' })).toBe(true);
  expect(await isCached(wav(1), account)).toBe(false);
  server.state.engineVersion = '2';
  expect(await isCached(audio, account)).toBe(false);
  expect(await isCached(audio, account)).toBe(true);
});

test('a failure is not cached', async () => {
  const account = await newAccount();
  const audio = wav(1);
  for (const round of [1, 2])
    expect([round, await isCached(audio, account, { context: 'FAIL' })]).toEqual([round, 422]);
});

test('accounts do not share cached results', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const audio = wav(1);
  expect(await isCached(audio, one)).toBe(false);
  expect(await isCached(audio, other)).toBe(false);
  expect(await isCached(audio, other)).toBe(true);
});

test('a changed corpus is not answered from the cache', async () => {
  const account = await newAccount();
  const audio = wav(1);
  const corpus = { name: 'names', entries: [{ text: '陳大文' }] };
  const made = await send(`${server.baseUrl}/api/corpora`, json('POST', corpus, account.key));
  const id = String(made.body['corpus']!['id']);
  const fields = { context: 'FUSE', corpus_ids: id };
  expect(await isCached(audio, account, fields)).toBe(false);
  expect(await isCached(audio, account, { ...fields, corpus_ids: ` ${id},${id},` })).toBe(true);
  const change = { entries: [{ text: '陳小文' }] };
  await send(`${server.baseUrl}/api/corpora/${id}`, json('PUT', change, account.key));
  expect(await isCached(audio, account, fields)).toBe(false);
  await call('DELETE', `/api/corpora/${id}`, account);
  expect(await isCached(audio, account, fields)).toBe(422);
  // The corpus would not be used, so its id is not checked.
  expect(await isCached(audio, account, { ...fields, skip_fusion: 'true' })).toBe(false);
});

test('deleting a record leaves its cached copies, and deleting all leaves nothing', async () => {
  const account = await newAccount();
  const audio = wav(1);
  const [first, second] = [await transcribe(audio, account), await transcribe(audio, account)];
  expect((await call('DELETE', pathOf(first), account)).status).toBe(200);
  expect((await call('GET', `${pathOf(second)}.txt`, account)).body['text']).toBe('早晨 你好媽\n');
  const third = await transcribe(audio, account);
  expect(third.body['is_cached']).toBe(true);
  for (const record of [second, third]) await call('DELETE', pathOf(record), account);
  expect(await isCached(audio, account)).toBe(false);
});

test('a cached record is sent to its callback_url like any other', async () => {
  const account = await newAccount();
  const audio = wav(1);
  await transcribe(audio, account);
  const answer = await transcribe(audio, account, { callback_url: 'https://example.com/heard' });
  const id = answer.headers.get('x-request-id');
  await expect.poll(() => server.delivered).toContain(id);
  expect(await recordOf(answer)).toMatchObject({ callbackUrl: 'https://example.com/heard' });
});

test.each(['ftp://example.com', 'https://127.0.0.1/', 'nonsense', 'https://user:pw@example.com/'])(
  'a callback_url that can never be called is refused (%s)',
  async (url) => {
    const { status, body } = await transcribe(wav(1), await newAccount(), { callback_url: url });
    expect([status, String(body['error']?.['code'])]).toEqual([422, 'invalid_parameter']);
    expect(await server.incoming()).toEqual([]);
  },
);

test('a cached answer of the OpenAI endpoint reports zero charged seconds', async () => {
  const { key } = await newAccount();
  const audio = wav(1);
  const ask = () =>
    send(`${server.baseUrl}/v1/audio/transcriptions`, form(['api_key', key], ['prompt', 'FUSE'], ['file', audio]));
  expect((await ask()).body).toMatchObject({ text: '早晨 你好嗎', usage: { seconds: 1 } });
  expect((await ask()).body).toMatchObject({ text: '早晨 你好嗎', usage: { seconds: 0 } });
  const streamed = await send(
    `${server.baseUrl}/v1/audio/transcriptions`,
    form(['api_key', key], ['prompt', 'FUSE'], ['stream', 'true'], ['file', audio]),
  );
  // Never corrected: the streamed words must equal the final text.
  expect(String(streamed.body['text'])).toContain('"text":"早晨 你好媽"');
});
