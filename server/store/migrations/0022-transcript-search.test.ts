import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#store/store.ts';
import { searchTranscripts } from '#server/features/search/transcript-search.ts';
import { createLogger } from '#telemetry/logger.ts';
import { openOldDatabase } from '#test/old-database.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { newResult } from '#test/transcription-records.ts';

const NAME = '0022-transcript-search';
const OPTIONS = JSON.stringify({ language: 'cantonese' });
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const BROKEN = '1f8fad5b-d9cb-469f-a165-70867728950e';

const insertRecord = (id: string, status: string, result: string | null) =>
  sql`insert into transcriptions (id, account_id, status, content_sha256, size_bytes, options, duration_ms,
      output_language, backend, processed_ms, result, created_at_ms)
    values (${id}, 'old', ${status}, 'hash', 1000, ${OPTIONS}, 3000, 'cantonese', 'test', 0, ${result}, 1)`;

describe.each(databasesToTest())('a database of before the search, on $name', (database) => {
  let old: Awaited<ReturnType<typeof openOldDatabase>>;
  let store: Store;
  beforeAll(async () => {
    old = await openOldDatabase(
      database,
      NAME,
      ['old'],
      [
        insertRecord(ID, 'completed', JSON.stringify(newResult())),
        insertRecord(BROKEN, 'completed', '{'),
        insertRecord('waiting', 'processing', null),
      ],
    );
    store = old.store;
  });
  afterAll(() => old.close());

  const find = async (query: string) =>
    searchTranscripts({ store, logger: createLogger('silent') }, 'old', {
      query,
      where: 'any',
      order: 'best',
      tags: [],
      limit: 5,
      before: null,
    });

  it('finds what it had, a transcript that ends later, and is not stopped by one that is unreadable', async () => {
    expect((await find('你')).transcripts.map(({ id }) => id)).toEqual([ID]);
    const done = { result: newResult(), cacheKey: '', processingSeconds: 1, creditsUsed: 1 };
    await store.transcriptions.complete('waiting', done);
    const { transcripts, unindexed } = await find('nei5');
    expect([transcripts.length, unindexed]).toEqual([2, 0]);
  });
});
