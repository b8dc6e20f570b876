import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#store/store.ts';
import { openOldDatabase } from '#test/old-database.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

const NAME = '0020-stored-text-totals';

/** A record with a result, and what it was counted with. */
const insertRecord = (id: string, account: string, bytes: number) => [
  sql`insert into transcriptions (id, account_id, status, content_sha256, size_bytes, options, duration_ms,
      output_language, backend, processed_ms, result, created_at_ms)
    values (${id}, ${account}, 'completed', 'hash', 1000, '{}', 3000, 'cantonese', 'test', 0,
      ${JSON.stringify(newResult())}, 1)`,
  sql`insert into stored_texts (transcription_id, account_id, bytes) values (${id}, ${account}, ${bytes})`,
];

describe.each(databasesToTest())('a database of before stored texts had totals, on $name', (database) => {
  let old: Awaited<ReturnType<typeof openOldDatabase>>;
  let store: Store;

  beforeAll(async () => {
    const records = [
      ...insertRecord('first', 'many', 3_000),
      ...insertRecord('second', 'many', 4_000_000_000),
      ...insertRecord('third', 'one', 50),
    ];
    old = await openOldDatabase(database, NAME, ['many', 'one', 'none'], records);
    store = old.store;
  });
  afterAll(() => old.close());

  it('has the total of each account, which then follows its records', async () => {
    const bytes = () => Promise.all(['many', 'one', 'none'].map((id) => store.storedText.bytes(id)));
    expect(await bytes()).toEqual([4_000_003_000, 50, 0]);
    await store.transcriptions.delete('second', 'many');
    await store.transcriptions.delete('third', 'one');
    expect(await bytes()).toEqual([3_000, 0, 0]);
    await store.transcriptions.insert(newRecord('none'));
    expect(await store.storedText.bytes('none')).toBeGreaterThan(100_000);
  });
});
