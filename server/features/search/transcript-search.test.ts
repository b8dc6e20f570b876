import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { Store } from '#server/store/store.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { indexTranscripts, searchTranscripts, type Search } from './transcript-search.ts';

const SEARCH: Search = { query: '', where: 'any', order: 'best', tags: [], limit: 20, before: null };

function resultOf(texts: readonly string[], language: TranscriptionResult['language'] = 'cantonese') {
  const segments = texts.map((text, index): Segment => ({
    text,
    startMs: index * 2_000,
    endMs: index * 2_000 + 1_500,
    words: [],
    speaker: null,
    confidence: null,
  }));
  return { ...newResult(), language, segments };
}

describe.each(databasesToTest())('the search in transcripts on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  let services: Parameters<typeof searchTranscripts>[0];
  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
    services = { store, logger: createLogger('silent') };
  });
  afterAll(() => opened.close());

  const newAccount = async () => (await store.accounts.create({ name: 'an account', plan: 'free' })).id;
  const insert = async (accountId: string, texts: readonly string[], change: object = {}) => {
    const record = newRecord(accountId, { status: 'completed', result: resultOf(texts), ...change });
    await store.transcriptions.insert(record);
    return record.id;
  };
  const find = async (accountId: string, query: string, change: Partial<Search> = {}) =>
    (await searchTranscripts(services, accountId, { ...SEARCH, query, ...change })).transcripts.map(({ id }) => id);

  it('finds words, characters of either script and jyutping with and without tones', async () => {
    const account = await newAccount();
    const id = await insert(account, ['各位早晨，歡迎嚟到。', '我哋今日開會講Budget同埋AI。', '臺北嗰邊話裏面着火']);
    await insert(account, ['第二個錄音講天氣']);
    const found: [string, string, Partial<Search>?][] = [
      ['早晨', '早晨'],
      ['欢迎', '歡迎'],
      ['歡迎', '歡迎'],
      ['今日开会', '今日開會'],
      ['budget', 'Budget'],
      ['ＢＵＤＧＥＴ', 'Budget'],
      ['ai', 'AI'],
      ['台北', '臺北'],
      ['裡面著火', '裏面着火'],
      ['zou2 san4', '早晨'],
      ['Zou2san4', '早晨'],
      ['zou san', '早晨'],
      ['zousan', '早晨'],
      ['zou2 san', '早晨'],
      ['zou2 san4', '早晨', { where: 'jyutping' }],
      ['hoi1 wui2', '開會'],
    ];
    const failing: unknown[] = [];
    for (const [query, marked, change] of found) {
      const { transcripts } = await searchTranscripts(services, account, { ...SEARCH, query, ...change });
      const [match] = transcripts[0]?.matches ?? [];
      const shown = match?.highlights.map(([start, end]) => match.text.slice(start, end));
      if (transcripts.length !== 1 || transcripts[0]?.id !== id || shown?.[0] !== marked) failing.push([query, shown]);
    }
    for (const [query, change] of [
      ['晨早'],
      ['zou3 san4'],
      ['zou2 san1'],
      ['bud'],
      ['早晨 天氣'],
      ['"歡迎 今日"'],
      ['zou san', { where: 'text' }],
    ] as [string, Partial<Search>?][]) {
      if ((await find(account, query, change)).length > 0) failing.push([query, 'found']);
    }
    expect(failing).toEqual([]);
  });

  it('finds a phrase that goes on in the next segment, and all words of a query', async () => {
    const account = await newAccount();
    const id = await insert(account, ['我哋去', '！', '大嶼山行山']);
    expect(await find(account, '去大嶼')).toEqual([id]);
    expect(await find(account, '行山 我哋')).toEqual([id]);
    const { transcripts } = await searchTranscripts(services, account, { ...SEARCH, query: '去大嶼' });
    expect(transcripts[0]?.matches.map(({ startMs, highlights }) => [startMs, highlights])).toEqual([
      [0, [[2, 3]]],
      [4_000, [[0, 2]]],
    ]);
  });

  it('never finds anything of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    await insert(other, ['秘密計劃'], { title: '秘密計劃' });
    for (const query of ['秘密', 'bei3 mat6', 'bei mat']) expect(await find(account, query)).toEqual([]);
    expect(await find(other, 'bei mat')).toHaveLength(1);
    expect((await searchTranscripts(services, account, { ...SEARCH, query: '秘密' })).total).toBe(0);
  });

  it('finds the text as it was corrected, no longer as it was, and nothing that was deleted', async () => {
    const account = await newAccount();
    const id = await insert(account, ['今日好熱']);
    expect(await find(account, '好熱')).toEqual([id]);
    const segments = resultOf(['今日好凍']).segments;
    await store.transcriptions.saveEdit(id, account, { edit: { segments, speakers: {} }, title: '天氣報告' }, null);
    expect([await find(account, '好熱'), await find(account, '好凍'), await find(account, '天氣報告')]).toEqual([
      [],
      [id],
      [id],
    ]);
    await store.transcriptions.delete(id, account);
    expect(await find(account, '好凍')).toEqual([]);
  });

  it('orders by how much of a text matches, or by time, in pages', async () => {
    const account = await newAccount();
    const atMs = Date.now() - 10_000;
    const once = await insert(account, ['我想食飯', '之後返工，之後開會，之後返屋企'], { createdAtMs: atMs + 3 });
    const often = await insert(account, ['食飯食飯', '食飯未'], { createdAtMs: atMs + 1 });
    const titled = await insert(account, ['傾咗好多嘢', '跟住去食飯喇，最後就返屋企瞓覺'], {
      title: '食飯',
      createdAtMs: atMs + 2,
    });
    expect((await find(account, '食飯')).toSorted()).toEqual([once, often, titled].toSorted());
    expect((await find(account, '食飯')).at(-1)).toBe(once);
    expect(await find(account, '食飯', { order: 'newest' })).toEqual([once, titled, often]);
    const first = await searchTranscripts(services, account, { ...SEARCH, query: '食飯', order: 'newest', limit: 2 });
    expect([first.hasMore, first.total]).toEqual([true, 3]);
    expect(await find(account, '食飯', { order: 'newest', limit: 2, before: titled })).toEqual([often]);
  });

  it('finds by tags, and counts them', async () => {
    const account = await newAccount();
    const [one, two] = [await insert(account, ['例會一']), await insert(account, ['例會二'])];
    await store.transcriptSearch.saveTags(one, account, ['工作', '二〇二六']);
    await store.transcriptSearch.saveTags(two, account, ['工作']);
    expect(await find(account, '例會', { tags: ['工作', '二〇二六'] })).toEqual([one]);
    expect(await store.transcriptSearch.saveTags(one, await newAccount(), ['x'])).toBe(false);
    expect(await store.transcriptSearch.countTags(account)).toEqual([
      { tag: '二〇二六', count: 1 },
      { tag: '工作', count: 2 },
    ]);
    const listed = await store.transcriptions.list(account, { limit: 5, tags: ['工作', '二〇二六'] });
    expect(listed.map(({ id }) => id)).toEqual([one]);
  });

  it('makes transcripts of earlier versions searchable, some at a time', async () => {
    const account = await newAccount();
    for (let index = 0; index < 25; index += 1) await insert(account, [`舊錄音${index}`]);
    const { total, unindexed } = await searchTranscripts(services, account, { ...SEARCH, query: '舊錄音' });
    expect([total, unindexed]).toEqual([20, 5]);
    while ((await indexTranscripts(services, null, 10)) > 0);
    expect((await searchTranscripts(services, account, { ...SEARCH, query: '舊錄音' })).total).toBe(25);
  });

  it('finds words of any length, in the title too', async () => {
    const account = await newAccount();
    const failing: unknown[] = [];
    // Hashes of their letters do not repeat, so that no compression makes them short enough.
    for (const length of [499, 500, 501, 3_000, 9_000]) {
      const letters = Array.from({ length: length / 60 + 1 }, (_, at) =>
        createHash('sha256').update(`${length} ${at}`),
      );
      const word = letters
        .map((hash) => hash.digest('hex'))
        .join('')
        .slice(0, length);
      const id = await insert(account, [`前 ${word} ${'é'.repeat(length)} 後`], { title: `${word}x` });
      for (const query of [word, `"前 ${word}"`, `"${word} ${'é'.repeat(length)}"`, `${word}x`]) {
        const found = await find(account, query);
        if (found.length !== 1 || found[0] !== id) failing.push([length, query.slice(0, 10), found]);
      }
      if ((await find(account, `${word}y`)).length > 0) failing.push([length, 'another word']);
    }
    expect(failing).toEqual([]);
  });

  it('leaves out and logs one transcript that cannot be saved, and goes on', async () => {
    const account = await newAccount();
    const [bad, good] = [await insert(account, ['天氣好熱']), await insert(account, ['天氣好凍'])];
    const logged: unknown[] = [];
    const broken: typeof services = {
      store: {
        ...store,
        transcriptSearch: {
          ...store.transcriptSearch,
          save: async (id, version, document) => {
            if (id === bad && document !== null) throw new RangeError('no place for it');
            await store.transcriptSearch.save(id, version, document);
          },
        },
      },
      logger: { error: (entry: unknown) => void logged.push(entry) },
    };
    const { transcripts, unindexed } = await searchTranscripts(broken, account, { ...SEARCH, query: '天氣' });
    expect([transcripts.map(({ id }) => id), unindexed]).toEqual([[good], 0]);
    expect(logged).toMatchObject([{ transcriptionId: bad }]);
    const { segments } = resultOf(['天氣轉涼']);
    await store.transcriptions.saveEdit(bad, account, { edit: { segments, speakers: {} }, title: null }, null);
    expect(await find(account, '轉涼')).toEqual([bad]);
  });

  it('reads any query without an error of the database', async () => {
    const account = await newAccount();
    await insert(account, ['OK 100%']);
    for (const query of [
      '"',
      "'",
      'a"b',
      'NEAR(a b)',
      'a* OR b',
      '100%',
      'text:ok',
      '早\u0000晨',
      '-ok',
      '^ok',
      '𠮷野家',
    ]) {
      const outcome = await find(account, query).catch((error: unknown) => toAppError(error).code);
      expect([query, outcome]).toSatisfy(([, ended]) => Array.isArray(ended) || ended === 'invalid_parameter');
    }
    expect(await find(account, '100%')).toHaveLength(1);
  });
});
