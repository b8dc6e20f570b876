import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { randomSsml } from '#testbed/clients/random-ssml.ts';
import { json, send } from '#testbed/clients/requests.ts';
import { bodyOf, openPost } from '#test/http/sound.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer({ voiceAliases: { 'zh-HK-HiuMaanNeural': 'kelvin' } });
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['tts']);
  Object.assign(server.state, newSpeakingState());
});
afterAll(() => server[Symbol.asyncDispose]());

/** The endpoints that speak, with the field of the text. */
const ENDPOINTS = [
  ['/api/tts', 'text', {}, 1],
  ['/api/tts-stream', 'text', { voice_id: 'jasmine' }, 4],
  ['/v1/audio/speech', 'input', { voice: 'jasmine', response_format: 'pcm' }, 1],
] as const;

const spoken = () =>
  server.state.calls.flatMap(({ text }) => text.parts.map((part) => ('text' in part ? part.text : part.spokenForm)));

test('SSML is read on every endpoint, and its tags cost nothing', async () => {
  const document = `<?xml version="1.0" encoding="UTF-8"?>
    <!-- a comment -->
    <speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="zh-HK">
      你好<break time="200ms"/><emphasis>世界</emphasis>
    </speak>`;
  for (const [path, field, fields, cost] of ENDPOINTS) {
    server.state.calls.length = 0;
    const answer = await openPost(server.baseUrl + path, { [field]: document, ...fields }, account.key);
    const { complete } = await bodyOf(answer);
    expect([path, answer.status, complete, spoken(), answer.headers['x-characters-charged']]).toEqual([
      path,
      200,
      true,
      ['你好', '世界'],
      String(4 * cost),
    ]);
  }
});

test('malformed SSML is refused with the place of its fault, on every endpoint', async () => {
  for (const [path, field, fields] of ENDPOINTS) {
    const body = { [field]: '<speak>\n  你好<break time="1s">\n</speak>', ...fields };
    const { status, body: answer } = await send(server.baseUrl + path, json('POST', body, account.key));
    expect([status, answer['error']?.['code'], answer['message']]).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(/^Line 3, column \d+ of the SSML: unexpected close tag/),
    ]);
  }
});

const ask = (body: object) => send(`${server.baseUrl}/api/tts`, json('POST', body, account.key));

const tagged = (count: number) => `<speak>${'<w>好</w>'.repeat(count)}</speak>`;

test('only what is spoken counts for the longest text', async () => {
  server.state.characterMs = 1;
  expect((await ask({ text: tagged(5_000) })).status).toBe(200);
  const refused = await ask({ text: tagged(5_001) });
  expect([refused.status, refused.body['message']]).toEqual([413, expect.stringContaining('it has 5001')]);
  const huge = await ask({ text: `<speak>${'<p/>'.repeat(60_000)}好</speak>` });
  expect([huge.status, huge.body['message']]).toEqual([400, expect.stringContaining('200000 characters')]);
});

test('marks have times beside those of the words', async () => {
  const text =
    '<speak><mark name="a"/>早晨<mark name="b"/><break time="1s"/><mark name="c"/>好<mark name="d"/></speak>';
  const { body } = await ask({ text, should_return_timestamp: true });
  expect(body['timestamps']).toMatchObject([{ text: '早' }, { text: '晨' }, { text: '好' }]);
  expect(body['marks']).toEqual([
    { name: 'a', time: 0 },
    { name: 'b', time: 0.2 },
    { name: 'c', time: 1.2 },
    { name: 'd', time: 1.3 },
  ]);
  const without = await ask({ text: '<speak>早</speak>', should_return_timestamp: true });
  expect(without.body['marks']).toBeUndefined();
});

test('voices and languages change within a text; unknown ones are named', async () => {
  const text =
    '<speak>你好<voice name="kelvin">早晨</voice><voice name="zh-HK-HiuMaanNeural">飲茶</voice>' +
    '<voice name="zh-HK-WanLungNeural">再見</voice><lang xml:lang="en-US">hello</lang><lang xml:lang="ja-JP">ok</lang></speak>';
  const { status, headers } = await ask({ text });
  expect([status, headers.get('x-voice-id-substituted'), headers.get('x-ssml-ignored')]).toEqual([
    200,
    'zh-HK-WanLungNeural',
    'xml:lang=ja-JP',
  ]);
  expect(
    server.state.calls.map(({ voice, text: { language, parts } }) => [
      parts.map((part) => ('text' in part ? part.text : '')).join(''),
      voice.id,
      language,
    ]),
  ).toEqual([
    ['你好', 'jasmine', 'cantonese'],
    ['早晨', 'kelvin', 'cantonese'],
    ['飲茶', 'kelvin', 'cantonese'],
    ['再見', 'jasmine', 'cantonese'],
    ['hello', 'jasmine', 'english'],
    ['ok', 'jasmine', 'cantonese'],
  ]);
});

test('what a model cannot follow is said', async () => {
  const text = '<speak><prosody rate="slow" pitch="high" contour="(0%,+20Hz)">早<par>晨</par></prosody></speak>';
  // The model of this server changes its speed, but not its pitch.
  expect((await ask({ text })).headers.get('x-ssml-ignored')).toBe('prosody contour, par, prosody pitch');
  const bounded = await ask({ text: '<speak><prosody rate="9" volume="+40dB">早晨</prosody></speak>' });
  expect(decodeURIComponent(bounded.headers.get('x-ssml-ignored') ?? '')).toBe(
    'prosody rate=9 as 3, prosody volume=+40dB as +12dB',
  );
  const plain = await ask({ text: '<speak>早晨</speak>' });
  expect(plain.headers.get('x-ssml-ignored')).toBeNull();
});

test('the language of the document counts where the request names none', async () => {
  const text = '<speak xml:lang="en-GB">hello</speak>';
  for (const body of [{ text }, { text, language: 'cantonese' }]) await ask(body);
  expect(server.state.calls.map(({ text: { language } }) => language)).toEqual(['english', 'cantonese']);
});

test('requests beside SSML that make no sense with it are refused', async () => {
  const rows: [object, number][] = [
    [{ text: '<speak>早晨</speak>', jyutping: 'zou2 san4' }, 400],
    [{ text: '<speak><break/></speak>' }, 400],
    [{ text: '<speak></speak>' }, 400],
    [{ text: `<speak>早${'<break time="10s"/>'.repeat(13)}</speak>` }, 400],
    [
      { text: `<speak>${Array.from({ length: 17 }, (_, i) => `<voice name="v${i}">早</voice>`).join('')}</speak>` },
      400,
    ],
  ];
  const statuses = await Promise.all(rows.map(async ([body]) => (await ask(body)).status));
  expect(statuses).toEqual(rows.map(([, status]) => status));
});

test('the thoughts of a language model are neither spoken nor charged', async () => {
  for (const [path, field, fields, cost] of ENDPOINTS) {
    server.state.calls.length = 0;
    const body = { [field]: '<think>佢想飲茶。</think>\n早晨', ...fields };
    const answer = await openPost(server.baseUrl + path, body, account.key);
    await bodyOf(answer);
    expect([answer.status, spoken(), answer.headers['x-characters-charged']]).toEqual([
      200,
      ['早晨'],
      String(2 * cost),
    ]);
    const only = await send(server.baseUrl + path, json('POST', { ...body, [field]: '<thinking>hm' }, account.key));
    expect(only.status).toBe(400);
  }
});

test('damaged documents are spoken or refused, and never fail', async () => {
  server.state.characterMs = 1;
  const statuses = new Map<string, number[]>();
  for (const [path, field, fields] of ENDPOINTS) {
    for (let seed = 1; seed <= 60; seed += 1) {
      const body = { [field]: randomSsml(randomFrom(seed)), ...fields };
      const answer = await openPost(server.baseUrl + path, body, account.key);
      await bodyOf(answer);
      statuses.set(path, [...(statuses.get(path) ?? []), answer.status]);
    }
  }
  for (const [path, seen] of statuses) {
    expect([path, [...new Set(seen)].toSorted()]).toEqual([path, [200, 400]]);
  }
});
