import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readDocument } from '#test/http/openapi-document.ts';
import { form, json, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { PUBLIC_CORPUS, startTestServer, type TestServer } from '#test/http/start-server.ts';

/** Goal 50; a slow processor parses five megabytes of escapes in as much. */
const LONGEST_TURN_MS = 75;

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  key = (await server.newAccount('pro', ['stt'])).key;
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown, as = key) =>
  send(
    `${server.baseUrl}/api/corpora${path}`,
    body === undefined ? { method, ...withKey(as) } : json(method, body, as),
  );
const sendText = (method: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>, as = key) =>
  send(`${server.baseUrl}/api/corpora${path}`, {
    method,
    headers: { 'content-type': type, 'x-api-key': as },
    body,
  });
const TSV = 'text/tab-separated-values';
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];
const ENTRY = { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 };
const create = async (change: object = {}) => {
  const { body } = await call('POST', '', {
    name: '酒樓',
    entries: [{ text: '蝦餃', jyutping: 'Haa1  gaau2' }],
    ...change,
  });
  return body['corpus']!;
};
const idOf = async (change?: object) => String((await create(change))['id']);

test('a corpus is made, listed, found, changed and deleted', async () => {
  const corpus = await create({ description: '點心' });
  const id = String(corpus['id']);
  const summary = {
    id,
    name: '酒樓',
    description: '點心',
    language: 'cantonese',
    public: false,
    version: 1,
    entries_count: 1,
  };
  expect(corpus).toEqual({ ...summary, entries: [ENTRY] });

  const tea = { ...PUBLIC_CORPUS, public: true, entries_count: 2 };
  const { accountId: _, entries, ...teaSummary } = tea;
  expect((await call('GET', '')).body).toEqual({ success: true, corpora: [teaSummary, summary] });
  expect((await call('GET', `/${id}`)).body).toEqual({ success: true, corpus });
  expect((await call('GET', '/tea-houses')).body).toEqual({ success: true, corpus: { ...teaSummary, entries } });

  const changed = await call('PUT', `/${id}`, { name: '茶樓', entries: [{ text: '燒賣', weight: 0.5 }, ENTRY] });
  expect(changed.body['corpus']).toMatchObject({
    name: '茶樓',
    description: '點心',
    version: 2,
    entries_count: 2,
    entries: [{ text: '燒賣', jyutping: null, weight: 0.5 }, ENTRY],
  });
  expect((await call('GET', `/${id}`)).body).toEqual(changed.body);

  expect((await call('DELETE', `/${id}`)).body).toEqual({ success: true });
  expect(code(await call('GET', `/${id}`))).toEqual([404, 'not_found']);
  expect(code(await call('DELETE', `/${id}`))).toEqual([404, 'not_found']);
  expect((await call('GET', '')).body).toEqual({ success: true, corpora: [teaSummary] });
});

test('an answer can be sent back unchanged', async () => {
  const corpus = await create();
  const { status, body } = await call('PUT', `/${String(corpus['id'])}`, corpus);
  expect({ status, corpus: body['corpus'] }).toEqual({ status: 200, corpus: { ...corpus, version: 2 } });
});

describe('files', () => {
  const query = `?${new URLSearchParams({ name: '酒樓', description: 'd', language: 'Cantonese' })}`;

  test('tab-separated text can be imported and exported unchanged', async () => {
    const { body } = await sendText(
      'POST',
      query,
      `${TSV}; charset=utf-8`,
      '# 點心\r\n蝦餃\thaa1 gaau2\r\n燒賣\t\t2\r\n',
    );
    expect(body['corpus']).toMatchObject({
      name: '酒樓',
      description: 'd',
      entries: [ENTRY, { text: '燒賣', jyutping: null, weight: 2 }],
    });
    const id = String(body['corpus']!['id']);
    const file = await call('GET', `/${id}.tsv`);
    expect(file.headers.get('content-type')).toBe('text/tab-separated-values; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.tsv"`);
    const again = await sendText('PUT', `/${id}?version=1`, TSV, String(file.body['text']));
    expect(again.body['corpus']).toEqual({ ...body['corpus'], version: 2 });
    expect((await call('GET', '/tea-houses.tsv')).body['text']).toContain('\n蝦餃\thaa1 gaau2\n');
    expect(code(await call('GET', '/nothing.tsv'))).toEqual([404, 'not_found']);
  });

  test.each([
    ['tab-separated', '蝦餃\thaa1 gaau2'],
    ['JSON', JSON.stringify([ENTRY])],
  ])('a form can contain a %s file, with the key after it', async (_, content) => {
    const file = new TextEncoder().encode(content);
    const upload = form(['data', file], ['name', '酒樓'], ['language', 'cantonese'], ['api_key', key]);
    const { status, body } = await send(`${server.baseUrl}/api/corpora`, upload);
    expect({ status, corpus: body['corpus'] }).toMatchObject({
      status: 200,
      corpus: { name: '酒樓', entries: [ENTRY] },
    });
    const change = { ...form(['description', 'x'], ['version', '1'], ['api_key', key]), method: 'PUT' };
    const changed = await send(`${server.baseUrl}/api/corpora/${String(body['corpus']!['id'])}`, change);
    expect(changed.body['corpus']).toMatchObject({ name: '酒樓', description: 'x', version: 2, entries: [ENTRY] });
    expect(await server.incoming()).toEqual([]);
  });

  test('invalid files are refused with the line numbers', async () => {
    const { status, body } = await sendText('POST', query, TSV, '蝦餃\n燒賣\tsiu1\n叉燒\tx y\n好');
    expect(status).toBe(422);
    expect(String(body['message'])).toMatch(/line 2: .*; line 3: /);
    expect(code(await sendText('POST', query, TSV, new Uint8Array([0xbd, 0xbc])))).toEqual([422, 'invalid_parameter']);
    expect(code(await sendText('POST', query, TSV, '[{'))).toEqual([400, 'invalid_request']);
    expect(code(await sendText('POST', '', TSV, '蝦餃'))).toEqual([400, 'invalid_request']);
    expect(code(await sendText('POST', '?name=x', 'application/xml', '<x/>'))).toEqual([415, 'unsupported_media_type']);
    expect(code(await sendText('POST', '?name=x', 'text/plain', '蝦餃'))).toEqual([415, 'unsupported_media_type']);
  });

  test('a form without file or name, or a too large one, is refused and leaves nothing behind', async () => {
    const post = (...parts: Parameters<typeof form>) =>
      send(`${server.baseUrl}/api/corpora`, { ...form(...parts), ...withKey(key) });
    expect(code(await post(['name', 'x']))).toEqual([400, 'missing_file']);
    expect(code(await post(['data', new TextEncoder().encode('蝦餃')]))).toEqual([400, 'invalid_request']);
    const large = new Uint8Array(5 * 1024 ** 2 + 1).fill(35);
    expect(code(await post(['name', 'x'], ['data', large]))).toEqual([413, 'payload_too_large']);
    expect(await server.incoming()).toEqual([]);
  });
});

describe('versions', () => {
  test('50 simultaneous changes count to 51', async () => {
    const id = await idOf();
    const changes = Array.from({ length: 50 }, (_, i) => call('PUT', `/${id}`, { entries: [{ text: `蝦餃${i}a` }] }));
    const versions = (await Promise.all(changes)).map(({ body }) => Number(body['corpus']?.['version']));
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    expect((await call('GET', `/${id}`)).body['corpus']).toMatchObject({ version: 51, entries_count: 1 });
  });

  test('no change is lost when each names the version that it replaces', async () => {
    const id = await idOf({ entries: [] });
    const addOne = async (text: string): Promise<void> => {
      for (;;) {
        const corpus = (await call('GET', `/${id}`)).body['corpus'] as unknown as {
          version: number;
          entries: object[];
        };
        const change = { version: corpus.version, entries: [...corpus.entries, { text }] };
        const { status } = await call('PUT', `/${id}`, change);
        if (status === 200) return;
        expect(status).toBe(409);
      }
    };
    await Promise.all([...'一二三四五六七八九十'].map(addOne));
    expect((await call('GET', `/${id}`)).body['corpus']).toMatchObject({ version: 11, entries_count: 10 });
  });

  test('a change of an outdated version is 409 and names the current version', async () => {
    const id = await idOf();
    await call('PUT', `/${id}`, { name: 'x', version: 1 });
    const late = await call('PUT', `/${id}`, { name: 'y', version: 1 });
    expect(code(late)).toEqual([409, 'conflict']);
    expect(String(late.body['message'])).toContain('now 2.');
    expect((await call('GET', `/${id}`)).body['corpus']).toMatchObject({ name: 'x', version: 2 });
  });
});

test('a corpus of another account does not exist', async () => {
  const id = await idOf();
  const other = (await server.newAccount('pro')).key;
  for (const [method, path, body] of [
    ['GET', `/${id}`],
    ['GET', `/${id}.tsv`],
    ['PUT', `/${id}`, { name: 'mine', version: 1 }],
    ['PUT', `/${id}`, { name: 'mine', version: 9 }],
    ['DELETE', `/${id}`],
  ] as const) {
    const answer = await call(method, path, body, other);
    expect(code(answer)).toEqual([404, 'not_found']);
    const unknown = await call(method, path.replace(id, crypto.randomUUID()), body, other);
    expect(answer.body['message']).toEqual(unknown.body['message']);
  }
  expect(JSON.stringify((await call('GET', '', undefined, other)).body)).not.toContain(id);
  expect((await call('GET', `/${id}`)).body['corpus']).toMatchObject({ name: '酒樓', version: 1 });
});

test('a recording is accepted only with corpora of its account', async () => {
  const id = await idOf();
  const other = (await server.newAccount('pro')).key;
  const submit = (ids: string, as: string) => {
    const fields: Parameters<typeof form> = [
      ['data', wav(0.2)],
      ['corpus_ids', ids],
      ['api_key', as],
    ];
    return send(`${server.baseUrl}/api/stt`, form(...fields));
  };
  for (const ids of ['none', 'tea-houses', id, `${id},tea-houses,${id}`]) {
    expect((await submit(ids, key)).status).toBe(200);
  }
  for (const [ids, as] of [
    [id, other],
    [`tea-houses,${id}`, other],
    ['../../etc/passwd', key],
    ['__proto__', key],
    ['\u{1F35C}'.repeat(1_000), key],
  ] as const) {
    const answer = await submit(ids, as);
    expect(code(answer)).toEqual([422, 'invalid_parameter']);
    expect(String(answer.body['message'])).toMatch(
      /^The field "corpus_ids" names a corpus that does not exist: ".{9,40}"\.$/u,
    );
  }
});

test('a public corpus can be used by every account and changed by none', async () => {
  for (const [method, body] of [['PUT', { name: 'mine' }], ['DELETE']] as const) {
    const answer = await call(method, '/tea-houses', body, server.ownerKey);
    expect(code(answer)).toEqual([403, 'insufficient_scope']);
    expect(String(answer.body['message'])).toContain('public');
  }
});

test('a missing key, a missing scope and a blocked account are reported before anything else', async () => {
  const id = await idOf();
  const blocked = await server.newAccount('pro');
  await server.store.accounts.update(blocked.id, { blocked: true });
  const other = (await server.newAccount('pro', ['tts'])).key;
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['GET', `/${id}.tsv`],
    ['PUT', `/${id}`],
    ['DELETE', `/${id}`],
  ] as const) {
    const init = method === 'POST' || method === 'PUT' ? json(method, { name: 7 }) : { method };
    expect(code(await send(`${server.baseUrl}/api/corpora${path}`, init))).toEqual([401, 'missing_api_key']);
    const body = method === 'POST' || method === 'PUT' ? { name: 7 } : undefined;
    expect(code(await call(method, path, body, 'jyut_wrong'))).toEqual([401, 'invalid_api_key']);
    expect(code(await call(method, path, body, blocked.key))).toEqual([401, 'account_blocked']);
    expect(code(await call(method, path, body, other))).toEqual([403, 'insufficient_scope']);
  }
  // A body without a key is not parsed, whatever it seems to contain.
  const headers = { 'content-type': 'text/tab-separated-values' };
  const keyless = { method: 'POST', headers, body: 'api_key\nx\ty\tz\tq\n' };
  expect(code(await send(`${server.baseUrl}/api/corpora?name=x`, keyless))).toEqual([401, 'missing_api_key']);
  const inBody = json('POST', { api_key: key, name: 'x', entries: [] });
  expect((await send(`${server.baseUrl}/api/corpora`, inBody)).status).toBe(200);
});

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `詞${i}a` }));
test.each([
  ['POST', '', {}, 400, 'invalid_request'],
  ['POST', '', [], 400, 'invalid_request'],
  ['POST', '', null, 400, 'invalid_request'],
  ['POST', '', { entries: [] }, 400, 'invalid_request'],
  ['POST', '', { name: 'x' }, 400, 'invalid_request'],
  ['POST', '', { name: 7, entries: [] }, 400, 'invalid_request'],
  ['POST', '', { name: ' ', entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'a\0b', entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: '\u{D83C}', entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: '\u{1F35C}'.repeat(5_000), entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', description: '\u{1F35C}'.repeat(5_000), entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', description: 'a\0b', entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', language: 'klingon', entries: [] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: 'all' }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: null }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [null] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [[]] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: 7 }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦\0餃' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦\u{202E}餃' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦\u{D800}' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '\u{1F35C}'.repeat(5_000) }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦餃', weight: 1e308 }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦餃', weight: 0 }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦餃', weight: -1 }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦餃', weight: '1' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: [{ text: '蝦餃', jyutping: 'ha' }] }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x', entries: many(20_001) }, 422, 'invalid_parameter'],
  ['POST', '', { name: 'x'.repeat(5 * 1024 ** 2), entries: [] }, 413, 'payload_too_large'],
  ['PUT', '/ID', {}, 422, 'invalid_parameter'],
  ['PUT', '/ID', { entries: many(21_000) }, 422, 'invalid_parameter'],
  ['PUT', '/ID', { name: 'x', version: 0 }, 400, 'invalid_request'],
  ['PUT', '/ID', { name: 'x', version: '1' }, 400, 'invalid_request'],
  ['PUT', '/ID', { name: 'x', version: 1e12 }, 400, 'invalid_request'],
  ['PUT', '/nothing', { name: 'x' }, 404, 'not_found'],
  ['PUT', `/${crypto.randomUUID()}`, { name: 'x' }, 404, 'not_found'],
  ['GET', '/..%2f..%2f..%2fetc%2fpasswd', undefined, 404, 'not_found'],
  ['GET', '/tea-houses%00', undefined, 404, 'not_found'],
  ['GET', "/'%20or%201=1--", undefined, 404, 'not_found'],
  ['GET', '/__proto__', undefined, 404, 'not_found'],
  ['GET', `/${'x'.repeat(300)}`, undefined, 404, 'not_found'],
  ['DELETE', '/constructor', undefined, 404, 'not_found'],
  ['DELETE', '', undefined, 405, 'method_not_allowed'],
  ['PATCH', '/ID', { name: 'x' }, 405, 'method_not_allowed'],
  ['POST', '/ID', { name: 'x' }, 405, 'method_not_allowed'],
])('%s %s with invalid values is refused in one sentence (case %#)', async (method, path, body, status, expected) => {
  const id = await idOf();
  const answer = await call(method, path.replace('ID', id), body);
  expect(code(answer)).toEqual([status, expected]);
  expect(String(answer.body['message'])).toMatch(/^[A-Z].{5,400}\.$/);
  expect((await call('GET', `/${id}`)).body['corpus']).toMatchObject({ version: 1, entries: [ENTRY] });
});

test.each([
  ['{"name": ', 400],
  ['', 400],
  ['{"name": "x", "entries": [{"text": "蝦餃", "weight": NaN}]}', 400],
  ['{"name": "x", "entries": [{"text": "蝦餃", "weight": 1e999}]}', 422],
  ['{"name": "x", "entries": [], "__proto__": {"public": true}}', 400],
])('malformed or hostile JSON is refused (case %#)', async (body, status) => {
  expect((await sendText('POST', '', 'application/json', body)).status).toBe(status);
});

test('the last one of duplicate fields and duplicate entries counts', async () => {
  const body = `{"name": "x", "name": "y", "entries": [{"text": "蝦餃", "text": "燒賣"}, {"text": "燒賣", "weight": 3}]}`;
  const { body: answer } = await sendText('POST', '', 'application/json', body);
  expect(answer['corpus']).toMatchObject({ name: 'y', entries: [{ text: '燒賣', jyutping: null, weight: 3 }] });
});

test('20,000 entries and 100 corpora are accepted, one more is refused', async () => {
  const full = await create({ entries: many(20_000) });
  expect(full).toMatchObject({ entries_count: 20_000 });
  const made = await Promise.all(Array.from({ length: 109 }, () => call('POST', '', { name: 'x', entries: [] })));
  expect(made.filter(({ status }) => status === 200)).toHaveLength(99);
  expect(new Set(made.map((answer) => String(code(answer))))).toEqual(new Set(['200,undefined', '409,conflict']));
});

test('the documentation names every body, and every type of it', async () => {
  const { paths } = await readDocument(server.baseUrl);
  expect(Object.keys(paths!).filter((path) => path.startsWith('/api/corpora'))).toEqual([
    '/api/corpora',
    '/api/corpora/{id}',
    '/api/corpora/{id}.tsv',
    '/api/corpora/check',
    '/api/corpora/{id}/deck',
  ]);
  const types = ['application/json', 'text/tab-separated-values', 'multipart/form-data'];
  const post = paths!['/api/corpora']!['post']!;
  expect(Object.keys(post['requestBody']!['content']!)).toEqual(types);
  const schema = (type: string) => post['requestBody']!['content']![type]!['schema']!;
  expect(schema('application/json')).toMatchObject({ required: ['name', 'entries'] });
  expect(schema('multipart/form-data')).toMatchObject({ properties: { data: { format: 'binary' } } });
  const put = paths!['/api/corpora/{id}']!['put']!;
  expect(Object.keys(put['requestBody']!['content']!)).toEqual(types);
  expect(JSON.stringify(put['parameters'])).toContain('"version"');
  expect(put['responses']!['409']!['description']).toContain('conflict');
});

const han = (index: number) => String.fromCodePoint(0x4e00 + (index % 8_000), 0x4e00 + ((index * 7) % 8_000));
const corpusOf = (count: number, entry: (index: number) => object) =>
  JSON.stringify({ name: '大', entries: Array.from({ length: count }, (_, index) => entry(index)) });

test('five megabytes of JSON do not hold up other requests', async () => {
  const bodies = {
    'long entries': corpusOf(20_000, (index) => ({ text: han(index) + han(index * 13) + '字'.repeat(30) })),
    'one text': JSON.stringify({ name: '大', entries: [{ text: 'x'.repeat(4_900_000) }] }),
    'one jyutping': JSON.stringify({ name: '大', entries: [{ text: '大', jyutping: 'a1 '.repeat(1_600_000) }] }),
    'wrong entries': corpusOf(20_000, () => ({ text: '?'.repeat(150), jyutping: 'a'.repeat(50) })),
    'one name': JSON.stringify({ name: '"'.repeat(2_400_000), entries: [] }),
    'marks in escapes': JSON.stringify({ name: '大', entries: [{ text: '"'.repeat(2_400_000) }] }),
    escapes: `{"name":"大","entries":[{"text":"${String.raw`\u4e00`.repeat(800_000)}"}]}`,
  };
  const slow: string[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const bytes = new TextEncoder().encode(body);
    const ask = async () => void (await sendText('POST', '', 'application/json', bytes));
    const turnMs = await leastTurnMs(ask, LONGEST_TURN_MS);
    if (turnMs > LONGEST_TURN_MS) slow.push(`${name}: ${turnMs.toFixed(0)} ms`);
  }
  expect(slow).toEqual([]);
});
