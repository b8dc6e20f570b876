import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';
import { openOldDatabase } from '#test/old-database.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

const NAME = '0007-transcription-plan';

/** A record as the version before wrote it. */
const insertRecord = (id: string, status: string, result: string | null) =>
  sql`insert into transcriptions (id, account_id, status, content_sha256, size_bytes, options, duration_ms,
      output_language, backend, cache_key, stage, processed_ms, result, processing_seconds, credits_used,
      created_at_ms, started_at_ms, finished_at_ms)
    values (${id}, 'old', ${status}, 'hash', 1000, ${JSON.stringify(newRecord('old').options)}, 2900,
      'cantonese', 'test', ${`key of ${id}`}, 'queued', 0, ${result}, ${result === null ? null : 1.5},
      ${result === null ? null : 3}, 1, ${result === null ? null : 2}, ${result === null ? null : 3})`;

describe.each(databasesToTest())('a database of before plans were stored on $name', (database) => {
  let old: Awaited<ReturnType<typeof openOldDatabase>>;
  let store: Store;

  beforeAll(async () => {
    old = await openOldDatabase(
      database,
      NAME,
      ['old'],
      [insertRecord('waiting', 'pending', null), insertRecord('done', 'completed', JSON.stringify(newResult()))],
    );
    store = old.store;
  });
  afterAll(() => old.close());

  it('keeps a waiting record, which has no plan, and the record can be started', async () => {
    expect(await store.transcriptions.find('waiting')).toMatchObject({
      accountId: 'old',
      status: 'pending',
      plan: null,
      durationMs: 2_900,
      options: newRecord('old').options,
    });
    expect(await store.transcriptions.start('waiting')).toBe(true);
    expect(await store.transcriptions.find('waiting')).toMatchObject({ status: 'processing', plan: null });
  });

  it('keeps a finished record with its text, which still answers the same recording', async () => {
    const done = await store.transcriptions.find('done');
    expect(done).toMatchObject({ status: 'completed', plan: null, result: newResult(), creditsUsed: 3 });
    expect(await store.transcriptions.findFinished('old', 'key of done')).toEqual(done);
  });

  it('stores the plans of new records', async () => {
    const plan = newRecord('old').plan;
    const record = newRecord('old', { plan });
    await store.transcriptions.insert(record);
    expect((await store.transcriptions.find(record.id))?.plan).toEqual(plan);
  });

  it('is migrated once: a second start changes nothing', async () => {
    const second = await openStore(old.location);
    expect(await second.transcriptions.find('done')).toMatchObject({ status: 'completed', result: newResult() });
    await second.close();
  });
});
