import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, send } from '#testbed/clients/requests.ts';
import { bodyOf, openPost } from '#test/http/sound.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let key: string;
let corpus: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  ({ key } = await server.newAccount('pro', ['tts', 'stt']));
  Object.assign(server.state, newSpeakingState());
  corpus = await newCorpus(key, [
    { text: '單立文', jyutping: 'sin6 lap6 man4' },
    { text: 'IKEA', jyutping: 'ji4 ke4 aa1' },
    { text: '茶樓' },
  ]);
});
afterAll(() => server[Symbol.asyncDispose]());

async function newCorpus(as: string, entries: readonly object[]): Promise<string> {
  const { body } = await send(`${server.baseUrl}/api/corpora`, json('POST', { name: '名', entries }, as));
  return String(body['corpus']?.['id']);
}

/** The endpoints that speak, with the field of the text. */
const ENDPOINTS = [
  ['/api/tts', 'text', {}],
  ['/api/tts-stream', 'text', { voice_id: 'jasmine' }],
  ['/v1/audio/speech', 'input', { voice: 'jasmine', response_format: 'pcm' }],
  ['/v1/text-to-speech/jasmine?output_format=pcm_24000', 'text', {}],
] as const;

const NAME = { text: '單立文', jyutping: ['sin6', 'lap6', 'man4'] };
const STORE = { text: 'ikea', jyutping: ['ji4', 'ke4', 'aa1'] };

/** Speaks a text on every endpoint, and returns the lexicon of each. */
async function lexicons(text: string, fields: object = {}): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [path, field, fixed] of ENDPOINTS) {
    server.state.calls.length = 0;
    const answer = await openPost(server.baseUrl + path, { [field]: text, ...fixed, ...fields }, key);
    const { complete } = await bodyOf(answer);
    found.push([answer.status, complete, ...server.state.calls.map((speech) => speech.text.lexicon)]);
  }
  return found;
}

const onAll = (...lexicon: object[]) => ENDPOINTS.map(() => [200, true, lexicon]);

test('words of the account are said as its corpora say, on every endpoint', async () => {
  expect(await lexicons('我同單立文去Ikea飲茶')).toEqual(onAll(NAME, STORE));
  expect(await lexicons('<speak>我同单立文飲茶</speak>')).toEqual(onAll(NAME));
  expect(await lexicons('飲茶')).toEqual(onAll());
});

test('corpus_ids names other corpora, or none', async () => {
  const other = await newCorpus(key, [{ text: '單立文', jyutping: 'daan1 lap6 man4' }]);
  const text = '單立文食蝦餃';
  expect(await lexicons(text, { corpus_ids: 'none' })).toEqual(onAll());
  expect(await lexicons(text, { corpus_ids: [other] })).toEqual(
    onAll({ ...NAME, jyutping: ['daan1', 'lap6', 'man4'] }),
  );
  expect(await lexicons(text, { corpus_ids: `tea-houses, ${corpus}` })).toEqual(
    onAll(NAME, { text: '蝦餃', jyutping: ['haa1', 'gaau2'] }),
  );
});

test("Deepgram's clients name corpora in the query", async () => {
  const spoken: unknown[] = [];
  for (const ids of ['', '&corpus_ids=none', `&corpus_ids=tea-houses,${corpus}`]) {
    server.state.calls.length = 0;
    const url = `${server.baseUrl}/v1/speak?encoding=linear16&container=none${ids}`;
    const { complete } = await bodyOf(await openPost(url, { text: '單立文' }, key));
    spoken.push([complete, ...server.state.calls.map((speech) => speech.text.lexicon)]);
  }
  expect(spoken).toEqual([
    [true, [NAME]],
    [true, []],
    [true, [NAME]],
  ]);
});

test('a changed corpus counts at once, and those of other accounts never', async () => {
  expect(await lexicons('單立文')).toEqual(onAll(NAME));
  const entries = [{ text: '單立文', jyutping: 'sin6 lap6 man6' }];
  await send(`${server.baseUrl}/api/corpora/${corpus}`, json('PUT', { entries }, key));
  expect(await lexicons('單立文')).toEqual(onAll({ ...NAME, jyutping: ['sin6', 'lap6', 'man6'] }));
  ({ key } = await server.newAccount('pro', ['tts']));
  expect(await lexicons('單立文')).toEqual(onAll());
  for (const [path, field, fixed] of ENDPOINTS) {
    const body = { [field]: '好', ...fixed, corpus_ids: corpus };
    const { status, body: answer } = await send(server.baseUrl + path, json('POST', body, key));
    expect([path, status, answer['error']?.['code']]).toEqual([path, 422, 'invalid_parameter']);
  }
});
