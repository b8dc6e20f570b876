import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, send, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos, ID, resetTestVideos } from '#test/http/video-summary.ts';

const videos = createTestVideos();
let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer({ videoSummarizer: videos });
  account = await server.newAccount('pro', ['video']);
});
beforeEach(() => resetTestVideos(videos));
afterAll(() => server[Symbol.asyncDispose]());

const summarize = (fields: object) =>
  send(`${server.baseUrl}/api/video-summary/summarize-from-url`, json('POST', { url: ID, ...fields }, account.key));
const sendBody = (body: string, type: string | null = 'application/json', name = 'summarize-from-url') => {
  const headers = { 'x-api-key': account.key, ...(type === null ? {} : { 'content-type': type }) };
  // Sends bytes, because fetch adds a content type to strings without one.
  return send(`${server.baseUrl}/api/video-summary/${name}`, { method: 'POST', headers, body: Buffer.from(body) });
};
const refusal = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const used = async () => (await server.store.quotas.used(account.id)).video_summaries;

test.each<[string, object]>([
  ['no url', { url: undefined }],
  ['null as url', { url: null }],
  ['an empty url', { url: '' }],
  ['spaces as url', { url: ' \u3000\n' }],
  ['a number as url', { url: 12_345_678_901 }],
  ['a list as url', { url: [ID] }],
  ['an object as url', { url: { toString: ID } }],
  ['true as url', { url: true }],
  ['a url of 2,001 characters', { url: `https://youtu.be/${ID}?a=${'x'.repeat(2_001 - 31)}` }],
  ['an unknown language', { summaryLanguage: 'klingon' }],
  ['a code of another language', { summaryLanguage: 'fr' }],
  ['a property of objects as language', { summaryLanguage: '__proto__' }],
  ['another property of objects as language', { summaryLanguage: 'constructor' }],
  ['a number as language', { summaryLanguage: 1 }],
  ['a list as language', { summaryLanguage: ['english'] }],
  ['false as language', { summaryLanguage: false }],
  ['a number as track', { subtitleLanguage: 1 }],
  ['a list as track', { subtitleLanguage: ['English'] }],
  ['a track of 201 characters', { subtitleLanguage: 'x'.repeat(201) }],
  ['a number as transcript', { transcript: 0 }],
  ['false as transcript', { transcript: false }],
  ['a list as transcript', { transcript: ['早晨'] }],
  ['an object as transcript', { transcript: { text: '早晨' } }],
])('400: %s', async (_, fields) => {
  const before = await used();
  const answer = await summarize(fields);
  expect(refusal(answer)).toEqual([400, 'invalid_request']);
  expect(String(answer.body['message'])).toMatch(/^The field "\w+" .*\.$/);
  expect([videos.requests, await used()]).toEqual([[], before]);
});

test('a link and a track name of the maximum length are accepted', async () => {
  const url = `https://youtu.be/${ID}?a=${'x'.repeat(2_000 - 31)}`;
  expect([url.length, (await summarize({ url, subtitleLanguage: '好'.repeat(200) })).body]).toMatchObject([
    2_000,
    { success: true },
  ]);
});

test.each(['', ' \n\t', '\0\0', '\u200b\u200e\ufeff', '……！？', '♪ ♪', '\u{1F600}', '\u{D800}'])(
  'a transcript without words is refused at once, free of charge: %j',
  async (transcript) => {
    const before = await used();
    const { status, body } = await summarize({ transcript });
    expect([status, body['success'], body['message']]).toEqual([200, false, 'Empty transcript']);
    expect([videos.requests, await used()]).toEqual([[], before]);
  },
);

test.each([
  'nonsense',
  'https://vimeo.com/76979871',
  'https://www.youtube.com/playlist?list=PLabcdefghijk',
  'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
  'file:///etc/passwd',
  '../../etc/passwd',
  'javascript:alert(1)',
  '\u0000',
  '\u{1F600}'.repeat(1_000),
  "' or 1=1--",
  '{{7*7}}',
])('a text that names no video is refused as an invalid link, free of charge: %j', async (url) => {
  const before = await used();
  const { status, body } = await summarize({ url });
  expect([status, body['success'], body['message']]).toEqual([200, false, 'Invalid YouTube URL or video ID']);
  expect([videos.requests, await used()]).toEqual([[], before]);
});

const DEPTH = 100_000;
const DEEP = '['.repeat(DEPTH);

test.each<[string, string, number, string]>([
  ['nothing', '', 400, 'invalid_request'],
  ['spaces', ' \r\n', 400, 'invalid_request'],
  ['half an object', '{"url": "dQw4w9WgXcQ"', 400, 'invalid_request'],
  ['null', 'null', 400, 'invalid_request'],
  ['a list', `[{"url": "${ID}"}]`, 400, 'invalid_request'],
  ['a text', `"${ID}"`, 400, 'invalid_request'],
  ['a number', '5', 400, 'invalid_request'],
  ['a hundred thousand nested lists', DEEP, 400, 'invalid_request'],
  ['nested lists as a field', `{"url": ${DEEP}${']'.repeat(DEPTH)}}`, 400, 'invalid_request'],
  ['5 MB', `{"url": "${ID}", "transcript": "${'x'.repeat(5_000_000)}"}`, 413, 'payload_too_large'],
])('a body that is not a JSON object is refused: %s', async (_, body, status, code) => {
  expect(refusal(await sendBody(body))).toEqual([status, code]);
  expect(refusal(await sendBody(body, 'application/json', 'list-languages'))).toEqual([status, code]);
  expect(videos.requests).toEqual([]);
});

test('a transcript of almost four megabytes is summarized and returned completely', async () => {
  const transcript = '好'.repeat(1_390_000);
  const { status, body } = await summarize({ transcript });
  expect([status, String(body['transcript']) === transcript]).toEqual([200, true]);
});

test('unusual but valid JSON is accepted', async () => {
  const expected = { videoId: ID, subtitleLanguage: null, summaryLanguage: 'cantonese', transcript: null };
  for (const body of [
    `\u{FEFF}{"url": "${ID}"}`,
    ` \n{"url"\t:"${ID}"}\n`,
    `{"__proto__": {"url": "x", "transcript": "x"}, "constructor": 1, "toString": null, "url": "${ID}"}`,
    // The last of duplicate fields counts, as in JSON.parse.
    `{"url": "nonsense", "url": "${ID}"}`,
    `{"\\u0075rl": "${ID}"}`,
    `{"url": "${ID}", "deep": ${DEEP.slice(0, 60)}${']'.repeat(60)}, "text": "${DEEP.slice(0, 1_000)}\\\\"}`,
  ]) {
    videos.requests.length = 0;
    expect([body.slice(0, 60), (await sendBody(body)).status, videos.requests]).toEqual([
      body.slice(0, 60),
      200,
      [expected],
    ]);
  }
  expect(({} as { url?: string }).url).toBeUndefined();
});

test('JSON is accepted with any content type, as curl sends one by default; a form is refused', async () => {
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'application/json; charset=x',
    null,
  ]) {
    expect([type, (await sendBody(`{"url": "${ID}"}`, type)).status]).toEqual([type, 200]);
  }
  expect(refusal(await sendBody(`url=${ID}`, 'application/x-www-form-urlencoded'))).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test.each(['', '{', 'null', '[]', '"text"', DEEP])(
  'a malformed body without a key is refused for its key (case %#)',
  async (body) => {
    for (const name of ['summarize-from-url', 'list-languages']) {
      const url = `${server.baseUrl}/api/video-summary/${name}`;
      const headers = { 'content-type': 'application/json' };
      expect(refusal(await send(url, { method: 'POST', headers, body }))).toEqual([401, 'missing_api_key']);
    }
  },
);

const nested = (levels: number) => `{"url": "${ID}", "more": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test('nesting beyond 64 levels is refused, because parsing it takes memory before the key is checked', async () => {
  expect((await sendBody(nested(64))).status).toBe(200);
  const { status, body } = await sendBody(nested(65));
  expect([status, body['message']]).toEqual([400, 'The body is nested more than 64 levels deep.']);
  // Brackets inside strings are not levels, whatever precedes them.
  for (const text of ['['.repeat(100), '\\"'.repeat(100) + '['.repeat(100), '\\\\', '{'.repeat(100) + '\\n']) {
    expect((await sendBody(`{"url": "${ID}", "a": "${text}", "b": ["${text}"]}`)).status).toBe(200);
  }
  expect((await sendBody(`{"url": "${ID}", "a": "${'['.repeat(100)}`)).body['message']).toBe(
    'The body is not valid JSON.',
  );
});
