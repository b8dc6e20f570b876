import { strFromU8, unzipSync } from 'fflate';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, send, wav, withKey } from '#testbed/clients/requests.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

let server: TestServer;
const doNotWait = () => Promise.resolve();
let beforeDeck: (signal: AbortSignal) => Promise<void> = doNotWait;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer({ beforeDeck: (signal) => beforeDeck(signal) });
  account = await server.newAccount('pro');
});
afterAll(() => server[Symbol.asyncDispose]());

const TEXTS = ['早晨，今日我哋開會討論下個月嘅預算同埋人手安排', '好', '我想講兩點'];

async function insert(change: RecordChange = {}, texts = TEXTS): Promise<string> {
  const segments = texts.map((text, index) => ({
    text,
    startMs: index * 6_000,
    endMs: index * 6_000 + 5_000,
    words: [],
    speaker: index === 1 ? 'b' : 'a',
    confidence: null,
  }));
  const options = { ...newRecord(account.id).options, withDiarization: true, withTimestamp: false };
  const result = { ...newResult(), segments };
  const record = newRecord(account.id, {
    status: 'completed',
    blobKey: null,
    options,
    result,
    durationMs: 18_000,
    ...change,
  });
  await server.store.transcriptions.insert(record);
  return record.id;
}
const path = (rest: string) => `${server.baseUrl}/api/speech-to-text/${rest}`;
const fileOf = async (rest: string, key = account.key) => {
  const response = await fetch(path(rest), withKey(key));
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
};
const textOf = async (rest: string) => strFromU8((await fileOf(rest)).bytes);

it('subtitles have the lines, the time and the speakers that are asked for, and are as before without options', async () => {
  const id = await insert();
  expect(await textOf(`${id}.srt`)).toContain('SPEAKER_00: 早晨');
  const srt = await textOf(`${id}.srt?max_line_length=10&max_lines=2&speakers=false`);
  const lines = srt.split('\n').filter((line) => /\p{Script=Han}/u.test(line));
  expect(lines.every((line) => line.length <= 10)).toBe(true);
  expect(lines.join('')).toBe(TEXTS.join(''));
  expect(await textOf(`${id}.vtt?min_duration=3&speakers=false`)).toContain('00:00:06.000 --> 00:00:11.000\n好');
  expect(await textOf(`${id}.txt?times=true`)).toBe(
    `[0:00] SPEAKER_00: ${TEXTS[0]}\n[0:06] SPEAKER_01: 好\n[0:12] SPEAKER_00: 我想講兩點\n`,
  );
  const commas = await insert({}, ['好', '係', '早晨，', '開會']);
  expect(await textOf(`${commas}.txt?times=true`)).toContain('早晨，開會\n');
  expect(await textOf(`${id}.txt?speakers=false`)).toBe(`${TEXTS.join(' ')}\n`);
});

it('refuses options that cannot be meant, and names them', async () => {
  const id = await insert();
  const refused = [
    'srt?max_lines=1.5',
    'srt?max_line_length=2',
    'vtt?min_duration=-1',
    'srt?speakers=maybe',
    'docx?times=2',
    'md?speaker_label=Speaker',
  ];
  for (const query of refused) {
    const { status, body } = await send(path(`${id}.${query}`), withKey(account.key));
    expect([query, status, String(body['message'])]).toEqual([
      query,
      422,
      expect.stringContaining(/\?(\w+)/.exec(query)![1]!),
    ]);
  }
});

it('Markdown, Word documents and decks are named for the title', async () => {
  const id = await insert({ title: "例會 11/28: 'x'" });
  const markdown = await fileOf(`${id}.md`);
  expect(strFromU8(markdown.bytes)).toContain('`0:06` **SPEAKER\\_01** 好');
  expect(markdown.headers.get('content-disposition')).toBe(
    `attachment; filename="${id}.md"; filename*=UTF-8''${encodeURIComponent('例會 11 28 ').trim()}%27x%27.md`,
  );
  const document = unzipSync((await fileOf(`${id}.docx?jyutping=true`)).bytes);
  expect(strFromU8(document['word/document.xml']!)).toContain('<w:t xml:space="preserve">zou2</w:t>');
  const choice = `note=${encodeURIComponent('未必準確 <1>')}&speaker_label=${encodeURIComponent('講者 {n}')}`;
  expect(await textOf(`${id}.md?${choice}`)).toMatch(/^# .*\n\n> 未必準確 &lt;1\\?>\n\n`0:00` \*\*講者 1\*\* /);
  const noted = strFromU8(unzipSync((await fileOf(`${id}.docx?${choice}`)).bytes)['word/document.xml']!);
  expect(noted.replaceAll(/<[^>]+>/g, '|')).toMatch(/'x'\|+未必準確 &lt;1&gt;\|+講者 1\|/);
  const deck = unzipSync((await fileOf(`${id}.apkg`)).bytes);
  expect(Object.keys(deck)).toEqual(['collection.anki2', 'media']);
  expect((await fileOf(`${id}.docx`, (await server.newAccount('pro')).key)).status).toBe(404);
});

it('the cards of a deck have the sound of their sentences when the recording was kept', async () => {
  const form = new FormData();
  form.set('data', new Blob([Uint8Array.from(wav(2.5))]));
  form.set('keep_audio', 'true');
  form.set('wait_for_completion', 'true');
  const made = await send(`${server.baseUrl}/api/stt`, { method: 'POST', body: form, ...withKey(account.key) });
  const deck = unzipSync((await fileOf(`${made.headers.get('x-request-id')}.apkg`)).bytes);
  expect(Object.keys(JSON.parse(strFromU8(deck['media']!)) as object)).toEqual(['0', '1']);
  expect([...deck['0']!.slice(0, 1), deck['0']!.length > 1_000]).toEqual([0xff, true]);
});

it('sentences that begin together are different cards, and the same ones in a later deck', async () => {
  const guidsOf = async (texts: readonly string[]) => {
    const segments = texts.map((text, index) => ({
      text,
      startMs: index < 3 ? 500 : 2_000,
      endMs: 2_500,
      words: [],
      speaker: index === 1 ? 'b' : 'a',
      confidence: null,
    }));
    if (id === null) id = await insert({ result: { ...newResult(), segments } });
    else
      await server.store.transcriptions.saveEdit(
        id,
        account.id,
        { edit: { segments, speakers: {} }, title: null },
        null,
      );
    const deck = unzipSync((await fileOf(`${id}.apkg`)).bytes);
    const database = new Sqlite(Buffer.from(deck['collection.anki2']!));
    const notes = database.prepare('select guid, sfld from notes').all() as { guid: string; sfld: string }[];
    return Object.fromEntries(notes.map(({ guid, sfld }) => [sfld, guid]));
  };
  let id: string | null = null;
  const guids = await guidsOf(['早晨', '你好', '再見', '走喇']);
  expect(new Set(Object.values(guids)).size).toBe(4);
  const { 早晨: _, ...left } = guids;
  expect(await guidsOf(['', '你好', '再見', '走喇'])).toEqual(left);
});

it('a deck is no longer made when its client has left', async () => {
  const [started, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  beforeDeck = async (signal) => {
    started.resolve();
    await new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        stopped.resolve(signal.reason);
        reject(signal.reason);
      });
    });
  };
  const leaving = new AbortController();
  const answer = fetch(path(`${await insert()}.apkg`), { ...withKey(account.key), signal: leaving.signal });
  await started.promise;
  leaving.abort();
  await expect(answer).rejects.toThrow(/abort/i);
  expect(await stopped.promise).toMatchObject({ code: 'client_closed_request' });
  beforeDeck = doNotWait;
});

it('an archive has a file of every transcript, under names that differ', async () => {
  const ids = [await insert({ title: '例會' }), await insert({ title: '例會' }), await insert()];
  const response = await fetch(path('exports'), json('POST', { ids, format: 'txt' }, account.key));
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(Object.keys(files)).toEqual(['例會.txt', `例會 ${ids[1]}.txt`, `${ids[2]}.txt`]);
  expect(strFromU8(files['例會.txt']!)).toContain('SPEAKER_00: 早晨');
  const other = await server.newAccount('pro');
  const refused = await send(path('exports'), json('POST', { ids, format: 'txt' }, other.key));
  expect([refused.status, refused.body['error']?.['code']]).toEqual([404, 'not_found']);
});

it('an archive has names that every usual system can write', async () => {
  const titles = ['語'.repeat(200), 'Report', 'REPORT', 'con', 'aux.2026', '.. /a\\b?'];
  const ids = await Promise.all(titles.map((title) => insert({ title })));
  const response = await fetch(path('exports'), json('POST', { ids, format: 'txt' }, account.key));
  const names = Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())));
  expect(names).toEqual([
    `${'語'.repeat(66)}.txt`,
    'Report.txt',
    `REPORT ${ids[2]}.txt`,
    'con_.txt',
    'aux_.2026.txt',
    'a b.txt',
  ]);
});

it('an archive of long transcripts lets other requests go on', async () => {
  const text = '今日我哋開會討論下個月嘅預算'.repeat(700);
  const long = { text, startMs: 0, endMs: 1_000, words: [], speaker: null, confidence: null };
  const result = { ...newResult(), segments: Array.from({ length: 80 }, () => long) };
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await insert({ result }));
  let bytes = new Uint8Array();
  const ask = async () => {
    const response = await fetch(path('exports'), json('POST', { ids, format: 'txt' }, account.key));
    bytes = new Uint8Array(await response.arrayBuffer());
  };
  expect(await leastTurnMs(ask, 150)).toBeLessThan(150);
  expect(strFromU8(unzipSync(bytes)[`${ids[0]}.txt`]!)).toContain(`${text} ${text}`);
});
