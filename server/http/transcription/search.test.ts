import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.newAccount('pro');
});
afterAll(() => server[Symbol.asyncDispose]());

async function insert(text: string, change: RecordChange = {}, accountId = account.id): Promise<string> {
  const segment = { text, startMs: 1_000, endMs: 2_500, words: [], speaker: null, confidence: null };
  const result = { ...newResult(), segments: [segment] };
  const record = newRecord(accountId, { status: 'completed', blobKey: null, result, ...change });
  await server.store.transcriptions.insert(record);
  return record.id;
}
const path = (rest: string) => `${server.baseUrl}/api/speech-to-text${rest}`;
const list = (query: Record<string, string>, key = account.key) =>
  send(path(`?${new URLSearchParams(query).toString()}`), withKey(key));
const idsOf = (body: object) =>
  ((body as { transcriptions: { request_id: string }[] }).transcriptions ?? []).map((found) => found.request_id);

it('a search answers with the segments that match, their times and places', async () => {
  const id = await insert('各位早晨，歡迎', { title: '例會' });
  await insert('第二個');
  const { status, body } = await list({ query: 'zou2 san4' });
  expect([status, body]).toMatchObject([
    200,
    {
      success: true,
      has_more: false,
      total: 1,
      transcriptions: [
        {
          request_id: id,
          title: '例會',
          matches_count: 1,
          matches: [{ start: 1, end: 2.5, text: '各位早晨，歡迎', speaker: null, highlights: [[2, 4]] }],
        },
      ],
    },
  ]);
});

it('bad parameters are refused with a sentence that names them', async () => {
  const refused: [Record<string, string>, string][] = [
    [{ query: '早晨', in: 'jyutping' }, '"query" is not jyutping'],
    [{ query: '！' }, '"query" has no word'],
    [{ query: '早', in: 'pinyin' }, '"in"'],
    [{ query: '早', order: 'oldest' }, '"order"'],
    [{ query: '早', status: 'completed' }, '"query" cannot be combined'],
    [{ query: 'x'.repeat(501) }, '"query"'],
  ];
  for (const [query, sentence] of refused) {
    const { status, body } = await list(query);
    expect([status, String(body['message'])]).toEqual([422, expect.stringContaining(sentence)]);
  }
});

it('tags are saved without a new version, listed, counted, and searched with', async () => {
  const [one, two] = [await insert('早晨大家'), await insert('早晨各位')];
  const tag = (id: string, tags: unknown, key = account.key) => send(path(`/${id}`), json('PATCH', { tags }, key));
  const saved = await tag(one, ['會議', ' 工作 ', '工作', 'a,b']);
  expect([saved.status, saved.body['version']]).toEqual([200, 0]);
  expect((await tag(two, ['工作'])).status).toBe(200);
  expect((await tag(one, ['x'], (await server.newAccount('pro')).key)).status).toBe(404);
  expect((await tag(one, Array.from({ length: 21 }, String))).status).toBe(400);
  const { body } = await list({ tag: '工作,會議' });
  expect((body as { transcriptions?: unknown[] }).transcriptions).toMatchObject([
    { request_id: one, tags: ['a b', '工作', '會議'] },
  ]);
  expect(idsOf((await list({ query: '早晨', tag: '會議' })).body)).toEqual([one]);
  expect((await send(path('/tags'), withKey(account.key))).body['tags']).toEqual([
    { tag: 'a b', count: 1 },
    { tag: '工作', count: 2 },
    { tag: '會議', count: 1 },
  ]);
});

it('nothing of another account is found, tagged, counted or deleted', async () => {
  const id = await insert('秘密計劃');
  await server.store.transcriptSearch.saveTags(id, account.id, ['秘密']);
  const other = await server.newAccount('pro');
  expect(idsOf((await list({ query: '秘密' }, other.key)).body)).toEqual([]);
  expect((await send(path('/tags'), withKey(other.key))).body['tags']).toEqual([]);
  const deleted = await send(path('/deletions'), json('POST', { ids: [id] }, other.key));
  expect(deleted.body).toMatchObject({ deleted: 0, unknown: [id] });
  expect(idsOf((await list({ query: '秘密' })).body)).toEqual([id]);
});

it('several transcriptions are deleted at once, and ids that do not exist are named', async () => {
  const [one, two, three] = [await insert('一號'), await insert('二號'), await insert('三號')];
  const { body } = await send(path('/deletions'), json('POST', { ids: [one, 'no id', two] }, account.key));
  expect(body).toMatchObject({ success: true, deleted: 2, unknown: ['no id'] });
  expect(idsOf((await list({})).body)).toEqual([three]);
  expect(idsOf((await list({ query: '號' })).body)).toEqual([three]);
});
