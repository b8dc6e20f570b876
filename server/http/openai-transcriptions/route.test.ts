import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { startAfterServer } from '#test/after-server.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

const URL = '/v1/audio/transcriptions';
const LONGEST_TURN_MS = 50;
type Parts = Parameters<typeof form>;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const bearer = (key = server.ownerKey) => ({ authorization: `Bearer ${key}` });
const parts = (): Parts => [
  ['language', 'yue'],
  ['file', wav(1.5)],
  ['model', 'whisper-1'],
  ['response_format', 'json'],
];
/** A form of these parts alone, in this order. */
const post = (...parts: Parts) => send(server.baseUrl + URL, { ...form(...parts), headers: bearer() });
/** The same with file and model before. */
const transcribe = (...parts: Parts) => post(['file', wav(1.5)], ['model', 'whisper-1'], ...parts);
const askModel = async (model: string) => {
  const { status, headers } = await post(['file', wav(1.5)], ['model', model]);
  return [status, headers.get('x-model-id-ignored')];
};
const advice = ({ status, headers }: Answer) => [status, headers.get('x-should-retry')];
/** Which of the two lists of times the answer has. */
const timesIn = async (...parts: Parts) => {
  const { body } = await transcribe(['response_format', 'verbose_json'], ...parts);
  return ['words', 'segments'].filter((name) => name in body);
};
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

test('a field with very many values holds up no other request', async () => {
  const commas = Array.from({ length: 4 }, (): Parts[0] => ['timestamp_granularities[]', ','.repeat(60_000)]);
  const numbers: Parts = [['additional_formats', `[${'1,'.repeat(30_000)}1]`]];
  const scribe = form(['file', wav(1.5)], ['model_id', 'scribe_v1'], ...numbers);
  const ask = async () => {
    expect((await transcribe(...commas)).status).toBe(400);
    const { status } = await send(`${server.baseUrl}/v1/speech-to-text`, {
      ...scribe,
      headers: { 'xi-api-key': server.ownerKey },
    });
    expect(status).toBe(422);
  };
  expect(await leastTurnMs(ask, LONGEST_TURN_MS)).toBeLessThan(LONGEST_TURN_MS);
});

test('the fields may come in any order, and the key in any of its places', async () => {
  const expected = { text: '早晨 你好媽', languages: [{ code: 'yue' }], usage: { type: 'duration', seconds: 2 } };
  for (const order of [parts, () => parts().toReversed()]) {
    expect((await post(...order())).body).toEqual(expected);
    const url = server.baseUrl + URL;
    expect((await send(url, { ...form(...order()), ...withKey(server.ownerKey) })).body).toEqual(expected);
    expect((await send(url, form(...order(), ['api_key', server.ownerKey]))).body).toEqual(expected);
  }
  expect((await send(server.baseUrl + URL, form(...parts()))).body['error']).toMatchObject({ code: 'missing_api_key' });
  expect(await server.incoming()).toEqual([]);
});

test('only the file is required, and unknown fields are ignored', async () => {
  expect((await post(['file', wav(1.5)])).status).toBe(200);
  const answer = await transcribe(['chunking_strategy', 'auto'], ['include[]', 'logprobs'], ['temperature', '0.4']);
  expect(answer.status).toBe(200);
});

test('words and segments follow timestamp_granularities, with brackets, without, or repeated', async () => {
  const [list, plain] = ['timestamp_granularities[]', 'timestamp_granularities'];
  expect(await timesIn()).toEqual(['segments']);
  expect(await timesIn([list, 'word'])).toEqual(['words']);
  expect(await timesIn([list, 'word'], [list, 'word'])).toEqual(['words']);
  expect(await timesIn([list, 'segment'], [list, 'word'])).toEqual(['words', 'segments']);
  expect(await timesIn([plain, 'word'], [plain, 'segment'])).toEqual(['words', 'segments']);
  expect(await timesIn([plain, 'word, segment'])).toEqual(['words', 'segments']);
});

test('confidences are 0 when the engine reports none', async () => {
  const { body } = await transcribe(['response_format', 'verbose_json']);
  expect(body['segments']![0]).toMatchObject({ id: 0, text: '早晨', start: 0, end: 0.4, avg_logprob: 0 });
  expect(body['segments']![1]).toMatchObject({ id: 1, seek: 50, start: 0.5, end: 1 });
});

test.each([
  ['response_format', 'xml'],
  ['response_format', 'diarised_json'],
  ['include[]', 'tokens'],
  ['languages[]', 'fr'],
  ['chunking_strategy', 'always'],
  ['chunking_strategy', '{"type": "none"}'],
  ['stream', 'maybe'],
  ['language', 'klingon'],
  ['temperature', 'hot'],
  ['temperature', '-1'],
  ['prompt', 'x'.repeat(10_001)],
  ['prompt', '長'.repeat(100_000)],
  ['prompt', 'null\0character'],
  ['model', 'm'.repeat(201)],
  ['timestamp_granularities[]', ''],
  ['timestamp_granularities[]', 'sentence'],
  ['timestamp_granularities', 'word,letter'],
])('a bad %s is 400 and names its field', async (name, value) => {
  const format: Parts = name.startsWith('timestamp') ? [['response_format', 'verbose_json']] : [];
  const answer = await transcribe(...format, ...(name === 'model' ? [] : ([[name, value]] as Parts)));
  const answerOfField = name === 'model' ? await post(['file', wav(1.5)], [name, value]) : answer;
  expect(codeOf(answerOfField)).toEqual([400, 'invalid_request']);
  expect(String(answerOfField.body['message'])).toContain(name.replace('[]', ''));
  expect(await server.incoming()).toEqual([]);
});

test('a format in any case, an empty one, and times that the format has no place for, are accepted', async () => {
  const subtitles = await transcribe(['response_format', 'SRT']);
  expect(subtitles.headers.get('content-type')).toMatch(/subrip|text\/plain/);
  for (const format of ['', ' ', 'json', 'JSON']) {
    const { status, body } = await transcribe(['response_format', format], ['timestamp_granularities[]', 'word']);
    expect([format, status, typeof body['text']]).toEqual([format, 200, 'string']);
  }
  for (const format of ['srt', 'text']) {
    expect((await transcribe(['response_format', format], ['timestamp_granularities[]', 'segment'])).status).toBe(200);
  }
});

test('contradicting fields are 400', async () => {
  const cases: Parts[] = [
    [
      ['response_format', 'verbose_json'],
      ['stream', 'true'],
    ],
    [['model', 'another']],
  ];
  for (const parts of cases) expect(codeOf(await transcribe(...parts))).toEqual([400, 'invalid_request']);
});

test('a missing, misnamed or invalid file is reported by its field name', async () => {
  for (const parts of [[['model', 'whisper-1']], [['data', wav(1.5)]], [['file', 'just text']]] as Parts[]) {
    const answer = await post(...parts);
    expect(codeOf(answer)).toEqual([400, 'missing_file']);
    expect(String(answer.body['message'])).toContain('"file"');
  }
  const json = { method: 'POST', headers: { ...bearer(), 'content-type': 'application/json' }, body: '{}' };
  expect(codeOf(await send(server.baseUrl + URL, json))).toEqual([415, 'unsupported_media_type']);
  expect(codeOf(await send(server.baseUrl + URL, { method: 'POST', headers: bearer() }))).toEqual([
    400,
    'missing_file',
  ]);
});

test('an unknown model is ignored and named; names of OpenAI and our own are not', async () => {
  for (const model of ['no-such', 'gpt-4', 'v2', 'tones']) {
    expect([model, ...(await askModel(model))]).toEqual([model, 200, model]);
  }
  for (const model of ['test', 'auto', '', 'whisper-1', 'gpt-transcribe', 'gpt-4o-transcribe-diarize']) {
    expect([model, ...(await askModel(model))]).toEqual([model, 200, null]);
  }
});

test('x-should-retry is false for errors that would repeat', async () => {
  const { key } = await server.newAccount('small');
  const long: Parts = [['file', wav(11)]];
  expect(advice(await send(server.baseUrl + URL, { ...form(...long), headers: bearer(key) }))).toEqual([429, 'false']);
  expect(advice(await transcribe(['language', 'en']))).toEqual([503, 'false']);
  expect(advice(await transcribe())).toEqual([200, null]);
});

test('a failed transcription has the status of its error, streamed or not', async () => {
  for (const stream of ['false', 'true']) {
    expect(codeOf(await transcribe(['prompt', 'FAIL'], ['stream', stream]))).toEqual([422, 'corrupt_audio']);
  }
});

test('a stream carries the headers of every answer, and its id leads to the record', async () => {
  const { status, headers, body } = await transcribe(['stream', 'TRUE'], ['response_format', 'text']);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(headers.get('x-ratelimit-limit')).not.toBeNull();
  expect(String(body['text']).match(/"delta":"[^"]*"/gu)).toEqual(['"delta":"早晨"', '"delta":" 你好媽"']);
  const record = await server.store.transcriptions.find(headers.get('x-request-id') ?? '');
  expect(record).toMatchObject({ status: 'completed', options: { language: 'auto', withTimestamp: false } });
});

test('a transcription completes after its waiting or streaming client disconnects', async () => {
  server.state.workIsHeld = true;
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  const calls = ids.map(async (id, index) => {
    const leaving = new AbortController();
    const { body } = form(['file', wav(1.5)], ['stream', String(index === 0)]);
    const headers = { ...bearer(), 'x-request-id': id };
    const call = fetch(server.baseUrl + URL, { method: 'POST', headers, body: body!, signal: leaving.signal });
    while ((await server.store.transcriptions.find(id)) === null) await sleep(5);
    leaving.abort();
    await expect(call).rejects.toThrow('abort');
  });
  await Promise.all(calls);
  server.state.workIsHeld = false;
  for (const id of ids) {
    await expect.poll(async () => (await server.store.transcriptions.find(id))?.status).toBe('completed');
  }
});

test('a translation needs a language model, and is said to before the recording is stored', async () => {
  const answer = await send(`${server.baseUrl}/v1/audio/translations`, { ...form(...parts()), headers: bearer() });
  expect(codeOf(answer)).toEqual([503, 'language_model_required']);
  expect(await server.incoming()).toEqual([]);
});

test('a translation reserves its credits before the seconds are spent, and a repeated key pays once', async () => {
  const llm = await startAfterServer();
  const settings = { LLM_BASE_URL: llm.baseUrl, LLM_MODEL: 'qwen3:8b' };
  const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings };
  const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  const model = await engines.open(engines.select('language-model'));
  await using translating = await startTestServer({
    languageModels: { open: () => Promise.resolve(model), run: (signal, work) => work(signal) },
  });
  const recording = parts();
  const translate = (key: string, headers: Record<string, string> = {}, ...more: Parts) =>
    send(`${translating.baseUrl}/v1/audio/translations`, {
      ...form(...recording, ...more),
      headers: { ...bearer(key), ...headers },
    });
  const usedBy = async ({ id }: { id: string }) => {
    const { stt_seconds: seconds, video_summaries: credits } = await translating.store.quotas.used(id);
    return { seconds, credits };
  };
  const poor = await translating.newAccount('small');
  expect(codeOf(await translate(poor.key))).toEqual([429, 'quota_exceeded']);
  expect(await usedBy(poor)).toEqual({ seconds: 0, credits: 0 });
  const rich = await translating.newAccount('pro');
  const once = { 'idempotency-key': 'once' };
  for (const attempt of [1, 2]) {
    const { status, body } = await translate(rich.key, once);
    expect([attempt, status, body['text']]).toEqual([attempt, 200, expect.stringMatching(/^It says/)]);
  }
  expect(await usedBy(rich)).toEqual({ seconds: 2, credits: 1 });
  expect(codeOf(await translate(rich.key, once, ['prompt', 'another']))).toEqual([422, 'invalid_parameter']);
  expect(codeOf(await translate(rich.key, {}, ['prompt', 'FAIL']))).toEqual([422, 'corrupt_audio']);
  expect((await usedBy(rich)).credits).toBe(1);
  await model.close();
  await llm.close();
});
