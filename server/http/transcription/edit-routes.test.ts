import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
  account = await server.newAccount('pro');
});
afterAll(() => server[Symbol.asyncDispose]());

/** Two people, of whom the second speaks first by name. */
const SEGMENTS = [
  ['早晨', 0, 'b'],
  ['食咗飯未', 1_000, 'a'],
].map(([text, startMs, speaker]) => ({
  text: String(text),
  startMs: Number(startMs),
  endMs: Number(startMs) + 800,
  words: [...String(text)].map((unit, index) => {
    const unitMs = Number(startMs) + index * 200;
    return { text: unit, reading: null, startMs: unitMs, endMs: unitMs + 200, confidence: 0.9 };
  }),
  speaker: String(speaker),
  confidence: null,
}));

async function insert(change: RecordChange = {}): Promise<string> {
  const options = { ...newRecord(account.id).options, withDiarization: true, withTimestamp: false };
  const result = { ...newResult(), segments: SEGMENTS };
  const record = newRecord(account.id, { status: 'completed', blobKey: null, options, result, ...change });
  await server.store.transcriptions.insert(record);
  return record.id;
}
const patch = (id: string, body: unknown, ifMatch?: string, key = account.key) =>
  send(`${server.baseUrl}/api/speech-to-text/${id}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    body: JSON.stringify(body),
  });
const get = (path: string) => send(`${server.baseUrl}/api/speech-to-text/${path}`, withKey(account.key));
const textOf = async (path: string) => String((await get(path)).body['text']);
const CORRECTED = [
  { start: 0, end: 0.8, text: '早晨呀', speaker: 'SPEAKER_01' },
  { start: 1, end: 1.8, text: '食咗飯未', speaker: 'SPEAKER_00' },
];

describe('a corrected transcript', () => {
  it('has the jyutping of characters that were typed, in their context', async () => {
    const id = await insert();
    const segments = [
      { start: 0, end: 0.8, text: '銀行', speaker: null },
      { start: 1, end: 1.8, text: '行路去', speaker: null },
    ];
    expect((await patch(id, { segments })).status).toBe(200);
    const file = (await get(`${id}.json`)).body as unknown as {
      segments: { words: { characters: { text: string; jyutping: string | null }[] }[] }[];
    };
    const readings = file.segments.map(({ words }) =>
      words.flatMap(({ characters }) => characters.map(({ jyutping }) => jyutping)),
    );
    expect(readings).toEqual([
      ['ngan4', 'hong4'],
      ['haang4', 'lou6', 'heoi3'],
    ]);
  });

  it('is what every format and the poll show, and the recognized one stays', async () => {
    const id = await insert();
    const saved = await patch(id, { segments: CORRECTED, speakers: { SPEAKER_01: '陳 <b>生</b>' }, title: ' 例會 ' });
    expect([saved.status, saved.body['version'], saved.headers.get('etag')]).toEqual([200, 1, '"1"']);

    expect(await textOf(`${id}.txt`)).toBe('陳 <b>生</b>: 早晨呀\nSPEAKER_00: 食咗飯未\n');
    expect(await textOf(`${id}.srt`)).toContain('陳 <b>生</b>: 早晨呀');
    expect(await textOf(`${id}.vtt`)).toContain('陳 &lt;b&gt;生&lt;/b&gt;: 早晨呀');
    const file = (await get(`${id}.json`)).body;
    expect(file).toMatchObject({
      title: '例會',
      version: 1,
      edited_at: saved.body['edited_at'],
      speakers: { SPEAKER_01: '陳 <b>生</b>' },
      text: '早晨呀 食咗飯未',
      segments: [{ speaker: 'SPEAKER_01' }, { speaker: 'SPEAKER_00' }],
    });
    const { transcription } = (await get(`get-result?id=${id}`)).body;
    expect(transcription).toMatchObject({
      title: '例會',
      transcription: '早晨呀 食咗飯未',
      diarization: '陳 <b>生</b>: 早晨呀\nSPEAKER_00: 食咗飯未',
      edited_at: saved.body['edited_at'],
    });
    expect(await textOf(`${id}.txt?version=original`)).toBe('SPEAKER_00: 早晨\nSPEAKER_01: 食咗飯未\n');
    expect(await textOf(`${id}.txt?text=raw`)).toBe('SPEAKER_00: 早晨\nSPEAKER_01: 食咗飯未\n');
  });

  it('keeps its parts when others are saved', async () => {
    const id = await insert();
    await patch(id, { speakers: { SPEAKER_00: '阿明' } });
    await patch(id, { segments: CORRECTED }, '"1"');
    await patch(id, { title: '例會' }, '"2"');
    expect((await get(`${id}.json`)).body).toMatchObject({
      version: 3,
      title: '例會',
      text: '早晨呀 食咗飯未',
      speakers: { SPEAKER_00: '阿明' },
    });
    expect((await get('?limit=1')).body['transcriptions']).toMatchObject([{ request_id: id, title: '例會' }]);
    await patch(id, { title: '', speakers: { SPEAKER_00: ' ' } }, '*');
    const { body } = await get(`${id}.json`);
    expect([body['title'], body['speakers']]).toEqual([undefined, undefined]);
  });

  it('has names in one line, without what reorders the text around them', async () => {
    const id = await insert();
    await patch(id, { title: '\u202e例\n會\u001b', speakers: { SPEAKER_00: '阿\u2066明\t', SPEAKER_01: '\u202e' } });
    const { body } = await get(`${id}.json`);
    expect([body['title'], body['speakers']]).toEqual(['例 會', { SPEAKER_00: '阿明' }]);
  });

  it('is refused for the number of its names before any of them is checked', async () => {
    const speakers = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}`, index]));
    const { status, body } = await patch(await insert(), { speakers });
    expect([status, body['message']]).toEqual([400, 'The field "speakers" must have at most 100 names.']);
  });

  it('is not overwritten by somebody who read an older version', async () => {
    const id = await insert();
    expect((await patch(id, { title: 'first' }, '"0"')).status).toBe(200);
    for (const ifMatch of ['"0"', '', undefined]) {
      const refused = await patch(id, { title: 'second' }, ifMatch);
      expect([refused.status, refused.body['message']]).toEqual([409, expect.stringContaining('has version 1 now')]);
    }
    expect((await get(`${id}.json`)).body['title']).toBe('first');
    expect((await patch(id, { title: 'second' }, '*')).body['version']).toBe(2);
    expect((await patch(id, { title: 'third' }, 'two')).status).toBe(400);
  });

  it.each([
    ['overlap', [CORRECTED[1], CORRECTED[0]], 'begins before'],
    ['end before they begin', [{ ...CORRECTED[0], start: 0.9 }], 'ends before'],
    ['are outside of the recording', [{ ...CORRECTED[0], start: 70, end: 80 }], 'after the recording'],
    ['have other speakers than labels', [{ ...CORRECTED[0], speaker: '陳生' }], 'SPEAKER_'],
  ])('is refused when its segments %s', async (_, segments, reason) => {
    const id = await insert();
    const { status, body } = await patch(id, { segments });
    expect([status, body['message']]).toEqual([
      expect.toSatisfy((code) => code === 422 || code === 400),
      expect.stringContaining(reason),
    ]);
    expect((await get(`${id}.json`)).body['version']).toBe(0);
  });

  it('is refused when it has more text than its recording can have', async () => {
    const id = await insert();
    // The segments have no length, so that each takes the word at its time.
    const segments = Array.from({ length: 600 }, () => ({ start: 0.1, end: 0.1, text: 'a '.repeat(5_000) }));
    const { status, body } = await patch(id, { segments });
    expect([status, body['message']]).toEqual([422, expect.stringContaining('more than')]);
  });

  it('is refused when it has more segments than its recording can have', async () => {
    const id = await insert({ durationMs: 3_000 });
    const segments = Array.from({ length: 1_016 }, () => ({ start: 0.1, end: 0.1, text: '' }));
    const { status, body } = await patch(id, { segments });
    expect([status, body['message']]).toEqual([
      422,
      'The field "segments" has more than 1015 segments for this recording.',
    ]);
    // Those without text stay: people empty a line in the console before they type another.
    expect((await patch(id, { segments: segments.slice(1) })).status).toBe(200);
    expect(((await get(`${id}.json`)).body['segments'] as unknown as unknown[]).length).toBe(1_015);
  });

  it('may have tens of thousands of characters', async () => {
    const id = await insert({ durationMs: 10_800_000 });
    const segments = Array.from({ length: 6_000 }, (_, index) => {
      return { start: index, end: index + 0.9, text: '食咗飯未呀', speaker: 'SPEAKER_00' };
    });
    expect((await patch(id, { segments })).status).toBe(200);
    expect(((await get(`${id}.json`)).body['segments'] as unknown as unknown[]).length).toBe(6_000);
  });

  it('belongs to its account, and exists only once the work is done', async () => {
    const id = await insert();
    const other = await server.newAccount('pro');
    expect((await patch(id, { title: 'mine' }, '*', other.key)).status).toBe(404);
    const open = await insert({ status: 'processing' });
    expect((await patch(open, { segments: CORRECTED })).status).toBe(409);
    expect((await patch(open, { title: 'early' })).status).toBe(200);
    expect((await get(open)).body['transcription']).toMatchObject({ status: 'processing', title: 'early' });
  });
});

it('an edit does not use the reserve of the disk', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  await using full = await startTestServer({ diskReserveBytes: bavail * bsize + 2 ** 30 });
  const { id: accountId, key } = await full.newAccount('pro');
  const record = newRecord(accountId, { status: 'completed', blobKey: null, result: newResult() });
  await full.store.transcriptions.insert(record);
  const { status, headers, body } = await send(`${full.baseUrl}/api/speech-to-text/${record.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ segments: CORRECTED }),
  });
  expect([status, headers.get('retry-after'), body['message']]).toEqual([
    503,
    '60',
    'The disk of the server is full; try again later.',
  ]);
  expect((await full.store.transcriptions.find(record.id))?.editVersion).toBe(0);
});

it('many files of a long transcript at once leave the event loop to others', async () => {
  const id = await insert({ durationMs: 3_600_000 });
  const segments = Array.from({ length: 18_000 }, () => ({ start: 3, end: 3, text: '我哋' }));
  expect((await patch(id, { segments })).status).toBe(200);
  let files: Awaited<ReturnType<typeof get>>[] = [];
  const ask = async () => {
    files = await Promise.all(Array.from({ length: 20 }, () => get(`${id}.srt`)));
  };
  const turnMs = await leastTurnMs(ask, 200);
  expect(files.map(({ status }) => status)).toEqual(Array(20).fill(200));
  // Each alone took 400 ms in one turn; now none takes more than 40.
  expect(turnMs).toBeLessThan(200);
});

it('sixteen megabytes of JSON do not hold up other requests', async () => {
  const id = await insert({ durationMs: 36_000_000 });
  const bodies = {
    'many segments': { segments: Array.from({ length: 50_000 }, () => ({ start: 3, end: 3, text: '字'.repeat(85) })) },
    'marks in escapes': {
      segments: Array.from({ length: 1_600 }, () => ({ start: 3, end: 3, text: '"'.repeat(5_000) })),
    },
    'many fields': Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`${index}${'x'.repeat(50)}`, 1])),
    'one number': { x: 0 },
  };
  const slow: string[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const text = JSON.stringify(body).replace('{"x":0}', `{"x":${'9'.repeat(16_000_000)}}`);
    const bytes = new TextEncoder().encode(text);
    const ask = async () => {
      const headers = { 'content-type': 'application/json', 'x-api-key': account.key, 'if-match': '*' };
      await send(`${server.baseUrl}/api/speech-to-text/${id}`, { method: 'PATCH', headers, body: bytes });
    };
    // Goal 50; slow processors parse a part in nearly as much.
    const turnMs = await leastTurnMs(ask, 75);
    if (turnMs > 75) slow.push(`${name}: ${turnMs.toFixed(0)} ms`);
  }
  expect(slow).toEqual([]);
});

it('a recording that was not kept is 404 with the way to keep the next one', async () => {
  const { status, body } = await get(`${await insert()}/audio`);
  expect([status, body['message']]).toEqual([404, expect.stringContaining('keep_audio=true')]);
});
