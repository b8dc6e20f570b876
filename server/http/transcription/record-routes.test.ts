import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import { form, send, sendRaw, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Account = { id: string; key: string };
const ROOT = '/api/speech-to-text';
const call = (method: string, path: string, { key }: Account) =>
  send(server.baseUrl + ROOT + path, { method, ...withKey(key) });
const get = (path: string, account: Account) => call('GET', path, account);
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const insert = async ({ id }: Account, change: RecordChange = {}) => {
  const record = newRecord(id, { blobKey: null, ...change });
  await server.store.transcriptions.insert(record);
  return record;
};
const submit = async ({ key }: Account, seconds = 1) => {
  const { body } = await send(`${server.baseUrl}/api/stt`, form(['api_key', key], ['data', wav(seconds)]));
  return String(body['data']!['request_id']);
};

const idsIn = ({ body }: Answer) =>
  (body['transcriptions'] as unknown as { request_id: string }[]).map((entry) => entry.request_id);
const word = (text: string, reading: string | null, startMs: number, confidence: number | null = 0.9) => ({
  text,
  reading,
  startMs,
  endMs: startMs + 180,
  confidence,
});
/** Two segments with all details of an engine. */
const spoken = (last: string): TranscriptionResult['segments'] => [
  {
    text: `香港，用iPhone`,
    startMs: 0,
    endMs: 1_400.4,
    words: [
      word('香', 'hoeng1', 0),
      word('港', 'gong2', 200, 0.7),
      word('用', 'jung6', 600),
      word('iPhone', null, 800, null),
    ],
    speaker: 'b',
    confidence: 0.812345,
  },
  {
    text: `你好${last}<`,
    startMs: 4_000,
    endMs: 5_000,
    words: [word('你', 'nei5', 4_000), word('好', 'hou2', 4_200), word(last, 'maa3', 4_400)],
    speaker: 'a',
    confidence: null,
  },
];
/** The text without the additions of a format. */
const bare = (text: unknown) =>
  String(text)
    .replaceAll(/^WEBVTT$|^\d+$|^[\d:,.]+ --> [\d:,.]+$/gmu, '')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s/gu, '');

const HOSTILE = [
  'x',
  '..',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  "'%20or%201=1%20--",
  '%00',
  'a'.repeat(99),
  'a'.repeat(5_000),
  '%E6%97%A9%E6%99%A8',
  '.json',
  'x.json.json',
  '__proto__',
  'constructor',
  'get-result.json',
  ':id',
  '*',
  '{id}',
];

describe('hostile ids', () => {
  test.each(HOSTILE)('%s is 404 everywhere, with the error body', async (id) => {
    const account = await server.newAccount('pro');
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/${id}.json`],
      ['GET', `/${id}.srt?text=raw`],
      ['GET', `/${id}/events`],
    ] as const) {
      const answer = await call(method, path, account);
      expect([method, path, ...codeOf(answer)]).toEqual([method, path, 404, 'not_found']);
      expect(answer.body).toMatchObject({ success: false, request_id: expect.any(String) });
    }
  });

  test('a path with .. segments is 404', async () => {
    const { key } = await server.newAccount('pro');
    const lines = [`GET ${ROOT}/../../etc/passwd.json HTTP/1.1`, 'Host: x', `X-Api-Key: ${key}`, 'Connection: close'];
    expect(await sendRaw(server.port, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test('a record of another account does not exist', async () => {
  const [owner, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
  const { id } = await insert(owner, { status: 'completed', result: newResult() });
  for (const path of [`/${id}`, `/${id}.json`, `/${id}.txt`, `/${id}.srt`, `/${id}.vtt`, `/${id}/events`]) {
    expect([path, ...codeOf(await get(path, other))]).toEqual([path, 404, 'not_found']);
  }
  expect(codeOf(await call('DELETE', `/${id}`, other))).toEqual([404, 'not_found']);
  expect((await get('', other)).body).toEqual({ success: true, transcriptions: [], has_more: false });
  expect((await get(`/${id}`, owner)).status).toBe(200);
});

test('every route requires a key with the right scope', async () => {
  const account = await server.newAccount('pro', ['tts']);
  const { id } = await insert(account, { status: 'completed', result: newResult() });
  const addresses = [
    ['GET', ''],
    ['GET', `/${id}`],
    ['DELETE', `/${id}`],
    ['GET', `/${id}.json`],
    ['GET', `/${id}.vtt`],
    ['GET', `/${id}/events`],
  ] as const;
  for (const [method, path] of addresses) {
    expect(codeOf(await send(server.baseUrl + ROOT + path, { method }))).toEqual([401, 'missing_api_key']);
    expect(codeOf(await call(method, path, account))).toEqual([403, 'insufficient_scope']);
  }
});

test('one record equals its poll, also under the id that a waiting call chose', async () => {
  const account = await server.newAccount('pro');
  const headers = { 'x-request-id': 'my-call.1', 'x-api-key': account.key };
  await send(`${server.baseUrl}/`, { ...form(['data', wav(1)]), headers });
  const polled = await get('/get-result?id=my-call.1', account);
  expect(polled.body).toMatchObject({ success: true, transcription: { status: 'completed' } });
  expect((await get('/my-call.1', account)).body).toEqual(polled.body);
  expect((await get('/my-call.1.txt', account)).body['text']).toBe('早晨 你好媽\n');
});

describe('the list', () => {
  test('pages are complete and in order while new records arrive', async () => {
    const account = await server.newAccount('pro');
    const ids: string[] = [];
    for (let at = 1; at <= 23; at += 1) ids.push((await insert(account, { createdAtMs: Math.floor(at / 3) })).id);
    const seen: string[] = [];
    let hasMore = true;
    while (hasMore) {
      const last = seen.at(-1);
      const page = await get(`?limit=5${last === undefined ? '' : `&before=${last}`}`, account);
      seen.push(...idsIn(page));
      hasMore = String(page.body['has_more']) === 'true';
      // Newer ones and those of others belong to no later page.
      await insert(account, { createdAtMs: 1_000 + seen.length });
      await insert(await server.newAccount('pro'), { createdAtMs: 2 });
    }
    expect(seen).toHaveLength(23);
    expect(new Set(seen)).toEqual(new Set(ids));
    const times = seen.map((id) => ids.indexOf(id));
    expect(times.map((at) => Math.floor((at + 1) / 3))).toEqual(
      times.map((at) => Math.floor((at + 1) / 3)).toSorted((a, b) => b - a),
    );
  });

  test('it has no texts, 20 records by default, and filters by status', async () => {
    const account = await server.newAccount('pro');
    for (let left = 21; left > 0; left -= 1) await insert(account);
    const done = await insert(account, { createdAtMs: 1, finishedAtMs: 2, status: 'completed', result: newResult() });
    const first = await get('', account);
    expect([idsIn(first).length, first.body['has_more']]).toEqual([20, true]);
    const { body } = await get('?status=completed', account);
    expect(body['has_more']).toBe(false);
    expect(body['transcriptions']).toEqual([
      expect.objectContaining({ request_id: done.id, created_at: '1970-01-01T00:00:00.001Z', status: 'completed' }),
    ]);
    expect(body['transcriptions']![0]).not.toHaveProperty('transcription');
    expect(idsIn(await get('?limit=100&status=pending', account))).toHaveLength(21);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=1e1',
    'limit=5&limit=6',
    'status=done',
    'status=',
    'before=unknown',
    `before=${crypto.randomUUID()}`,
    'before=',
    'before=%00',
  ])('%s is 422 and names its parameter', async (query) => {
    const { status, body } = await get(`?${query}`, await server.newAccount('pro'));
    expect([status, String(body['error']?.['code'])]).toEqual([422, 'invalid_parameter']);
    expect(String(body['message'])).toContain(`"${query.split('=')[0]}"`);
  });

  test('a page cannot start at a deleted record or one of another account', async () => {
    const [one, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
    const { id } = await insert(one);
    expect(codeOf(await get(`?before=${id}`, other))).toEqual([422, 'invalid_parameter']);
    await call('DELETE', `/${id}`, one);
    expect(codeOf(await get(`?before=${id}`, one))).toEqual([422, 'invalid_parameter']);
  });
});

describe('deletion', () => {
  test('record, audio and texts are deleted, also for the poll', async () => {
    const account = await server.newAccount('pro');
    const blobs = await server.blobs();
    const id = await submit(account);
    expect(await server.blobs()).toHaveLength(blobs.length + 1);
    await expect.poll(async () => (await get(`/${id}`, account)).body['transcription']!['status']).toBe('completed');
    expect((await call('DELETE', `/${id}`, account)).body).toEqual({ success: true });
    expect(await server.blobs()).toEqual(blobs);
    expect(await server.store.transcriptions.find(id)).toBeNull();
    expect((await get(`/get-result?id=${id}`, account)).body['success']).toBe(false);
    for (const path of [`/${id}`, `/${id}.json`]) expect((await get(path, account)).status).toBe(404);
    expect(codeOf(await call('DELETE', `/${id}`, account))).toEqual([404, 'not_found']);
  });

  test('of a running job releases its quota, and waiting clients are notified', async () => {
    const account = await server.newAccount('small');
    server.state.workIsHeld = true;
    const id = crypto.randomUUID();
    const headers = { 'x-request-id': id, 'x-api-key': account.key };
    const waiting = send(`${server.baseUrl}/`, { ...form(['data', wav(8)]), headers });
    await expect.poll(async () => (await get(`/${id}`, account)).status).toBe(200);
    expect((await server.store.quotas.used(account.id)).stt_seconds).toBe(8);
    expect((await call('DELETE', `/${id}`, account)).status).toBe(200);
    expect(codeOf(await waiting)).toEqual([404, 'not_found']);
    expect((await server.store.quotas.used(account.id)).stt_seconds).toBe(0);
    server.state.workIsHeld = false;
    await expect.poll(async () => server.store.transcriptions.find(id)).toBeNull();
  });

  test('of ten simultaneous deletions one succeeds', async () => {
    const account = await server.newAccount('pro');
    const { id } = await insert(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/${id}`, account)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});

describe('files', () => {
  const RESULT: TranscriptionResult = {
    ...newResult(),
    segments: spoken('媽'),
    fusion: { segments: spoken('嗎'), romanization: ['hoeng1 gong2 jung6', 'nei5 hou2 maa3'] },
    durationMs: 5_000,
  };
  const completed = (account: Account, withDiarization: boolean) => {
    const { options } = newRecord(account.id);
    return insert(account, { status: 'completed', result: RESULT, options: { ...options, withDiarization } });
  };

  test.each([
    ['txt', 'text/plain; charset=utf-8', '香港，用iPhone 你好嗎<\n'],
    [
      'srt',
      'application/x-subrip; charset=utf-8',
      '1\n00:00:00,000 --> 00:00:01,400\n香港，用iPhone\n\n2\n00:00:04,000 --> 00:00:05,000\n你好嗎<\n\n',
    ],
    [
      'vtt',
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.400\n香港，用iPhone\n\n00:00:04.000 --> 00:00:05.000\n你好嗎&lt;\n\n',
    ],
  ])('.%s contains the final text, or the raw one on request', async (format, contentType, text) => {
    const account = await server.newAccount('pro');
    const { id } = await completed(account, false);
    const answer = await get(`/${id}.${format}`, account);
    expect([answer.status, answer.headers.get('content-type'), answer.body['text']]).toEqual([200, contentType, text]);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.${format}"`);
    expect((await get(`/${id}.${format}?text=raw`, account)).body['text']).toBe(text.replace('嗎', '媽'));
  });

  test('with diarization speakers are numbered in order of appearance', async () => {
    const account = await server.newAccount('pro');
    const { id } = await completed(account, true);
    const texts = await Promise.all(
      ['txt', 'srt', 'vtt'].map(async (format) => (await get(`/${id}.${format}`, account)).body),
    );
    for (const { text } of texts) expect(String(text)).toMatch(/SPEAKER_00: 香港[^]*SPEAKER_01: 你好嗎/);
  });

  test('the only speaker has no label in files, but a name that was given', async () => {
    const account = await server.newAccount('pro');
    const { options } = newRecord(account.id);
    const alone = { ...RESULT, segments: spoken('嗎').map((segment) => ({ ...segment, speaker: 'b' })), fusion: null };
    const record = { status: 'completed', result: alone, options: { ...options, withDiarization: true } } as const;
    const { id } = await insert(account, record);
    const firstCue = async () => String((await get(`/${id}.srt`, account)).body['text']).split('\n')[2];
    expect(await firstCue()).toBe('香港，用iPhone');
    expect((await get(`/${id}.txt`, account)).body['text']).toBe('香港，用iPhone 你好嗎<\n');
    await send(`${server.baseUrl}${ROOT}/${id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': account.key, 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify({ speakers: { SPEAKER_00: '阿明' } }),
    });
    expect(await firstCue()).toBe('阿明: 香港，用iPhone');
  });

  test('.json contains words, characters, readings, times and confidences', async () => {
    const account = await server.newAccount('pro');
    const { id } = await completed(account, true);
    const { headers, body } = await get(`/${id}.json`, account);
    expect(headers.get('content-type')).toContain('application/json');
    const [first, second] = body['segments'] as unknown as Record<string, unknown>[];
    expect({ ...body, segments: null }).toEqual({
      request_id: id,
      version: 0,
      language: 'cantonese',
      duration_s: 5,
      text: '香港，用iPhone 你好嗎<',
      segments: null,
    });
    expect(first).toEqual({
      start: 0,
      end: 1.4,
      text: '香港，用iPhone',
      speaker: 'SPEAKER_00',
      confidence: 0.8123,
      words: [
        {
          text: '香港',
          start: 0,
          end: 0.38,
          confidence: 0.8,
          characters: [
            { text: '香', jyutping: 'hoeng1', start: 0, end: 0.18, confidence: 0.9 },
            { text: '港', jyutping: 'gong2', start: 0.2, end: 0.38, confidence: 0.7 },
          ],
        },
        {
          text: '用',
          start: 0.6,
          end: 0.78,
          confidence: 0.9,
          characters: [{ text: '用', jyutping: 'jung6', start: 0.6, end: 0.78, confidence: 0.9 }],
        },
        { text: 'iPhone', start: 0.8, end: 0.98, confidence: null, characters: [] },
      ],
    });
    expect(second).toMatchObject({ speaker: 'SPEAKER_01', confidence: null });
    const raw = await get(`/${id}.json?text=raw`, account);
    expect(raw.body['text']).toBe('香港，用iPhone 你好媽<');
  });

  test('the texts of all forms agree', async () => {
    const account = await server.newAccount('pro');
    const { id } = await completed(account, false);
    const { body } = await get(`/${id}.json`, account);
    for (const format of ['txt', 'srt', 'vtt']) {
      expect(bare((await get(`/${id}.${format}`, account)).body['text'])).toBe(bare(body['text']));
    }
  });

  test('while there is no transcript every file is 409, and says why when there will be none', async () => {
    const account = await server.newAccount('pro');
    const running = await insert(account, { status: 'processing' });
    const error = { code: 'corrupt_audio', message: 'It is cut off.' } as const;
    const failed = await insert(account, { status: 'failed', error });
    for (const format of ['json', 'txt', 'srt', 'vtt']) {
      expect(codeOf(await get(`/${running.id}.${format}`, account))).toEqual([409, 'conflict']);
      const answer = await get(`/${failed.id}.${format}`, account);
      expect(codeOf(answer)).toEqual([409, 'conflict']);
      expect(String(answer.body['message'])).toContain('It is cut off.');
    }
  });

  test.each(['text=', 'text=fused', 'text=raw&text=final'])('?%s is 422', async (query) => {
    const account = await server.newAccount('pro');
    const { id } = await completed(account, false);
    expect(codeOf(await get(`/${id}.txt?${query}`, account))).toEqual([422, 'invalid_parameter']);
  });

  test('silence is an empty file of each kind', async () => {
    const account = await server.newAccount('pro');
    const result = { ...newResult(), segments: [] };
    const { id } = await insert(account, { status: 'completed', result });
    expect((await get(`/${id}.txt`, account)).body['text']).toBe('\n');
    expect((await get(`/${id}.srt`, account)).body['text']).toBe('');
    expect((await get(`/${id}.vtt`, account)).body['text']).toBe('WEBVTT\n\n');
    expect((await get(`/${id}.json`, account)).body).toMatchObject({ text: '', segments: [] });
  });
});
