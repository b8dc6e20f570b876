import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { openStore } from './open-store.ts';
import type { PrivateCorpus } from './repositories/corpora.ts';
import type { Store } from './store.ts';

const ENTRIES = [
  { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 },
  { text: "Robert'); DROP TABLE corpora;-- \u{1F3A4}", jyutping: null, weight: 0.5 },
];

const content = (accountId: string, name = '茶樓') => ({
  accountId,
  name,
  description: 'a\nb',
  language: 'cantonese' as const,
  entries: ENTRIES,
});

describe.each(databasesToTest())('corpora on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const newAccount = async () => (await store.accounts.create({ name: 'an account', plan: 'free' })).id;
  const create = async (accountId: string, name?: string): Promise<PrivateCorpus> => {
    const created = await store.corpora.create(content(accountId, name), 100);
    expect(created).not.toBeNull();
    return created as PrivateCorpus;
  };

  it('a corpus is read as it was written, and lists have all fields but the entries', async () => {
    const accountId = await newAccount();
    const corpus = await create(accountId);
    expect(corpus).toEqual({ ...content(accountId), id: expect.stringMatching(/^[0-9a-f-]{36}$/), version: 1 });
    expect(await store.corpora.find(corpus.id, accountId)).toEqual(corpus);
    const { entries, ...rest } = corpus;
    expect(await store.corpora.list(accountId)).toEqual([{ ...rest, entriesCount: entries.length }]);
  });

  it('lists start with the oldest', async () => {
    const accountId = await newAccount();
    for (const name of ['一', '二', '三']) {
      await create(accountId, name);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect((await store.corpora.list(accountId)).map(({ name }) => name)).toEqual(['一', '二', '三']);
  });

  it('a change increments the version and keeps other fields', async () => {
    const accountId = await newAccount();
    const corpus = await create(accountId);
    const renamed = await store.corpora.update(corpus.id, accountId, { name: '酒樓' }, null);
    expect(renamed).toEqual({ ...corpus, name: '酒樓', version: 2 });
    const emptied = await store.corpora.update(corpus.id, accountId, { entries: [], language: 'english' }, 2);
    expect(emptied).toEqual({ ...corpus, name: '酒樓', version: 3, language: 'english', entries: [] });
    expect(await store.corpora.find(corpus.id, accountId)).toEqual(emptied);
    expect(await store.corpora.list(accountId)).toMatchObject([{ version: 3, entriesCount: 0 }]);
  });

  it('a change of an outdated version is refused', async () => {
    const accountId = await newAccount();
    const corpus = await create(accountId);
    await store.corpora.update(corpus.id, accountId, { name: 'first' }, 1);
    const late = store.corpora.update(corpus.id, accountId, { name: 'second' }, 1);
    await expect(late).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('now 2.') });
    expect(await store.corpora.find(corpus.id, accountId)).toMatchObject({ name: 'first', version: 2 });
  });

  it('50 simultaneous changes give version 51; of 50 that expect the same version one succeeds', async () => {
    const accountId = await newAccount();
    const { id } = await create(accountId);
    const changes = Array.from({ length: 50 }, (_, i) => store.corpora.update(id, accountId, { name: `${i}` }, null));
    const versions = (await Promise.all(changes)).map((corpus) => corpus?.version ?? 0);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    const rivals = Array.from({ length: 50 }, (_, i) => store.corpora.update(id, accountId, { name: `${i}` }, 51));
    const outcomes = await Promise.allSettled(rivals);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store.corpora.find(id, accountId)).toMatchObject({ version: 52 });
  });

  it('20 simultaneous creations cannot exceed the limit', async () => {
    const accountId = await newAccount();
    const limit = 7;
    const made = await Promise.all(Array.from({ length: 20 }, () => store.corpora.create(content(accountId), limit)));
    expect(made.filter((corpus) => corpus !== null)).toHaveLength(limit);
    expect(await store.corpora.list(accountId)).toHaveLength(limit);
    const [first] = await store.corpora.list(accountId);
    await store.corpora.delete(first?.id ?? '', accountId);
    expect(await store.corpora.create(content(accountId), limit)).not.toBeNull();
    expect(await store.corpora.create(content(await newAccount()), limit)).not.toBeNull();
  });

  it('a corpus of an account that was deleted meanwhile is refused like its key', async () => {
    await expect(store.corpora.create(content('deleted'), 100)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('a corpus of another account is neither found, listed, changed nor deleted', async () => {
    const [owner, other] = [await newAccount(), await newAccount()];
    const corpus = await create(owner);
    expect(await store.corpora.find(corpus.id, other)).toBeNull();
    expect(await store.corpora.list(other)).toEqual([]);
    expect(await store.corpora.update(corpus.id, other, { name: 'mine' }, null)).toBeNull();
    expect(await store.corpora.update(corpus.id, other, { name: 'mine' }, 7)).toBeNull();
    expect(await store.corpora.delete(corpus.id, other)).toBe(false);
    expect(await store.corpora.find(corpus.id, owner)).toEqual(corpus);
  });

  it('a deleted corpus is not found, and deleting it again returns false', async () => {
    const accountId = await newAccount();
    const { id } = await create(accountId);
    expect(await store.corpora.delete(id, accountId)).toBe(true);
    expect(await store.corpora.delete(id, accountId)).toBe(false);
    expect(await store.corpora.find(id, accountId)).toBeNull();
    expect(await store.corpora.update(id, accountId, { name: 'x' }, null)).toBeNull();
  });

  it('stores 20,000 entries', async () => {
    const accountId = await newAccount();
    const entries = Array.from({ length: 20_000 }, (_, i) => ({ text: `詞${i}`, jyutping: 'ci4', weight: 1 }));
    const created = await store.corpora.create({ ...content(accountId), entries }, 100);
    expect((await store.corpora.find(created?.id ?? '', accountId))?.entries).toEqual(entries);
  });
});

test('deleted entries do not remain in the file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-store-'));
  const store = await openStore({ databaseUrl: null, dataDir });
  const { id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' });
  const secret = `secret ${crypto.randomUUID()}`;
  const entries = [{ text: secret, jyutping: null, weight: 1 }];
  const draft = { accountId, name: 'x', description: '', language: 'english' as const, entries };
  const created = await store.corpora.create(draft, 100);
  await store.corpora.delete(created?.id ?? '', accountId);
  await store.close();
  const file = await readFile(join(dataDir, 'jyutsing.db'));
  await rm(dataDir, { recursive: true, force: true });
  expect(file.includes(accountId)).toBe(true);
  expect(file.includes(secret)).toBe(false);
});
