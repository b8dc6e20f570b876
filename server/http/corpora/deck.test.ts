import Sqlite from 'better-sqlite3';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { FAILURES } from '#test/http/speak.ts';
import { newSpeakingState } from '#test/http/speaking-state.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.newAccount('pro', ['stt', 'tts']);
  Object.assign(server.state, newSpeakingState());
});
afterAll(() => server[Symbol.asyncDispose]());

const at = (path: string) => `${server.baseUrl}/api/corpora${path}`;
const used = async () => (await server.store.quotas.used(account.id)).tts_characters;

async function newCorpus(entries: object[], change: object = {}): Promise<string> {
  const { body } = await send(at(''), json('POST', { name: '酒樓 "點心"', entries, ...change }, account.key));
  return String((body['corpus'] as { id: string } | undefined)?.id);
}

const askFor = (id: string, body: object = {}, key = account.key) => fetch(at(`/${id}/deck`), json('POST', body, key));

async function deckOf(answer: Response) {
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const database = new Sqlite(Buffer.from(files['collection.anki2']!));
  const rows = database.prepare('select flds from notes order by id').all() as { flds: string }[];
  const media = JSON.parse(strFromU8(files['media']!)) as object;
  return {
    fields: rows.map(({ flds }) => flds.split('\u001f')),
    sounds: Object.keys(media).map((name) => files[name]!),
  };
}

const WORDS = [{ text: '蝦餃', jyutping: 'haa1 gaau2' }, { text: '燒賣' }, { text: 'Loy', jyutping: 'lou4 ji4' }];

it('a word list becomes a deck with jyutping and sound, charged by its characters', async () => {
  const answer = await askFor(await newCorpus(WORDS));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/apkg']);
  expect([answer.headers.get('x-characters-charged'), await used()]).toEqual(['7', 7]);
  const { fields, sounds } = await deckOf(answer);
  expect(fields.map(([text, jyutping]) => [text, jyutping])).toEqual([
    ['蝦餃', 'haa1 gaau2'],
    ['燒賣', 'siu1 maai2'],
    ['Loy', 'lou4 ji4'],
  ]);
  expect(fields[0]![4]).toBe('<ruby>蝦<rt>haa1</rt></ruby><ruby>餃<rt>gaau2</rt></ruby>');
  // The synchronization of an MP3 frame, or a tag before it.
  for (const sound of sounds)
    expect(['ID3', '\u00ff']).toContain(strFromU8(sound.slice(0, sound[0] === 0xff ? 1 : 3), true));
  expect(sounds.length).toBe(3);
});

it('without sound it is free', async () => {
  const answer = await askFor(await newCorpus(WORDS), { sound: false });
  const { fields, sounds } = await deckOf(answer);
  expect([fields.length, sounds.length, await used()]).toEqual([3, 0, 0]);
});

it('a failure of the voice gives the characters back', async () => {
  const id = await newCorpus([...WORDS, { text: FAILURES.atOnce }]);
  expect((await askFor(id)).status).toBe(502);
  expect(await used()).toBe(0);
});

it('too many words, none, an unknown corpus, voice and scope are refused', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => ({ text: `第${index}個` }));
  const long = await newCorpus(many);
  const other = await server.newAccount('pro', ['stt', 'tts']);
  const noSpeech = await server.newAccount('pro', ['stt']);
  const id = await newCorpus(WORDS);
  expect((await askFor(long)).status).toBe(400);
  expect((await askFor(id, {}, other.key)).status).toBe(404);
  expect((await askFor(id, {}, noSpeech.key)).status).toBe(403);
  expect((await askFor(id, { sound: 3 })).status).toBe(400);
  expect(await used()).toBe(0);
  expect((await fetch(at(`/${id}`), withKey(account.key))).status).toBe(200);
});
