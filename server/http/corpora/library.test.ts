import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { createCorpusLibrary, MAX_PRIVATE_CORPORA } from '#features/corpora/library.ts';
import type { Store } from '#store/store.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

const SHIPPED: Corpus[] = ['food', 'places'].map((id) => ({
  id,
  accountId: null,
  name: id,
  description: '',
  language: 'cantonese',
  version: 5,
  entries: [{ text: id, jyutping: null, weight: 1 }],
}));
const ENTRY: CorpusEntry = { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 };
const DRAFT = { name: ' 茶樓 ', description: '', language: null, entries: [ENTRY] };

// Tests the library with the real store, which features may not import.
let opened: TestStore;
let store: Store;
let me: string;
let you: string;
beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
});
beforeEach(async () => {
  me = (await store.accounts.create({ name: 'me', plan: 'free' })).id;
  you = (await store.accounts.create({ name: 'you', plan: 'free' })).id;
});
afterAll(() => opened.close());
const newLibrary = () => createCorpusLibrary(SHIPPED, store.corpora);

test('an account sees the public corpora and only its own private ones', async () => {
  const library = newLibrary();
  const ownCorpus = await library.create(me, DRAFT);
  expect(ownCorpus).toMatchObject({ accountId: me, name: '茶樓', language: 'cantonese', version: 1, entries: [ENTRY] });
  expect((await library.list(me)).map(({ id }) => id)).toEqual(['food', 'places', ownCorpus.id]);
  expect((await library.list(you)).map(({ id }) => id)).toEqual(['food', 'places']);
  expect(await library.find(me, ownCorpus.id)).toEqual(ownCorpus);
  expect(await library.find(you, ownCorpus.id)).toBeNull();
  expect(await library.find(you, 'food')).toEqual(SHIPPED[0]);
  await expect(library.versions(you, [ownCorpus.id])).rejects.toMatchObject({ code: 'invalid_parameter' });
  await expect(library.replace(you, ownCorpus.id, { name: 'x' }, null)).rejects.toMatchObject({ code: 'not_found' });
  await expect(library.delete(you, ownCorpus.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await library.load(you, [ownCorpus.id])).toEqual([]);
});

test('versions returns all public corpora by default, and each named corpus once', async () => {
  const library = newLibrary();
  const { id } = await library.create(me, DRAFT);
  expect(await library.versions(me, null)).toEqual([
    { id: 'food', version: 5 },
    { id: 'places', version: 5 },
  ]);
  expect(await library.versions(me, [])).toEqual([]);
  await library.replace(me, id, { name: 'x' }, null);
  expect(await library.versions(me, [id, 'places', id])).toEqual([
    { id, version: 2 },
    { id: 'places', version: 5 },
  ]);
});

test('load returns the named corpora without deleted ones', async () => {
  const library = newLibrary();
  const { id } = await library.create(me, DRAFT);
  expect(await library.load(me, null)).toEqual(SHIPPED);
  expect((await library.load(me, ['food', id])).map((corpus) => corpus.id)).toEqual(['food', id]);
  await library.delete(me, id);
  expect((await library.load(me, ['food', id])).map((corpus) => corpus.id)).toEqual(['food']);
});

test('an unknown id appears shortened and sanitized in the message', async () => {
  const library = newLibrary();
  await expect(library.versions(me, ['food', 'nothing'])).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: 'The field "corpus_ids" names a corpus that does not exist: "nothing".',
  });
  const hostile = `\u{202E}a\r\nSet-Cookie: x\0\u{D800}${'\u{1F35C}'.repeat(5_000)}`;
  const refusal = await library.versions(me, [hostile]).catch((error: Error) => error);
  expect(String((refusal as Error).message)).toMatch(/exist: "aSet-Cookie: x\u{1F35C}{26}"\.$/u);
});

test('too many entries are refused, also when they were added after the first check', async () => {
  const library = newLibrary();
  const entries = Array.from({ length: 20_000 }, () => ENTRY);
  const ids: string[] = [];
  for (let i = 0; i < 6; i += 1) ids.push((await library.create(me, { ...DRAFT, entries })).id);
  expect(await library.versions(me, [...ids.slice(0, 5), 'food'])).toHaveLength(6);
  expect(await library.load(me, [...ids.slice(0, 5), 'food'])).toHaveLength(6);
  for (const refused of [library.versions(me, ids), library.load(me, ids)]) {
    await expect(refused).rejects.toMatchObject({ code: 'invalid_parameter', message: /100000 entries/ });
  }
});

test('public corpora cannot be changed, and an account has a limit of corpora', async () => {
  const library = newLibrary();
  await expect(library.replace(me, 'food', { name: 'x' }, null)).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
  await expect(library.delete(me, 'food')).rejects.toMatchObject({ code: 'insufficient_scope' });
  for (let i = 0; i < MAX_PRIVATE_CORPORA; i += 1) await library.create(me, DRAFT);
  await expect(library.create(me, DRAFT)).rejects.toMatchObject({ code: 'conflict', message: /100 corpora/ });
  expect(await library.create(you, DRAFT)).toMatchObject({ accountId: you });
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: ' \t ' }, 'name'],
  [{ name: 'a\0b' }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ name: 'a\u{D800}' }, 'name'],
  [{ name: '\u{1F35C}'.repeat(201) }, 'name'],
  [{ description: 'x'.repeat(2_001) }, 'description'],
  [{ description: 'a\0b' }, 'description'],
  [{ description: 'a\u{DFFF}' }, 'description'],
  [{ language: 'klingon' }, 'language'],
  [{ language: '' }, 'language'],
])('an invalid field is refused by its name (case %#)', async (change, field) => {
  const library = newLibrary();
  const refused = { code: 'invalid_parameter', message: expect.stringContaining(`"${field}"`) };
  await expect(library.create(me, { ...DRAFT, ...change })).rejects.toMatchObject(refused);
  const { id } = await library.create(me, DRAFT);
  await expect(library.replace(me, id, change, null)).rejects.toMatchObject(refused);
});

test('characters are code points, lines may be broken in a description, and a language may be written large', async () => {
  const draft = { ...DRAFT, name: '\u{1F35C}'.repeat(200), description: '一\r\n二\t三', language: 'English' };
  expect(await newLibrary().create(me, draft)).toMatchObject({ ...draft, language: 'english' });
});

test('a change without fields is refused', async () => {
  const library = newLibrary();
  const { id } = await library.create(me, DRAFT);
  await expect(library.replace(me, id, {}, null)).rejects.toMatchObject({ code: 'invalid_parameter' });
});
