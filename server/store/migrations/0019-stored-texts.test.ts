import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#store/store.ts';
import { openOldDatabase } from '#test/old-database.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { newResult } from '#test/transcription-records.ts';

const NAME = '0019-stored-texts';
const OPTIONS = JSON.stringify({ context: '天氣' });
const RESULT = JSON.stringify({ ...newResult(), backend: '粵'.repeat(40_000) });
const EDIT = JSON.stringify({ segments: null, speakers: { SPEAKER_00: '陳生' } });

const insertRecord = (
  account: string,
  status: string,
  texts: { result?: string; edit?: string; durationMs?: number },
) =>
  sql`insert into transcriptions (id, account_id, status, content_sha256, size_bytes, options, duration_ms,
      output_language, backend, processed_ms, result, edit, created_at_ms)
    values (${`${status} of ${account}`}, ${account}, ${status}, 'hash', 1000, ${OPTIONS}, ${texts.durationMs ?? 3_000},
      'cantonese', 'test', 0, ${texts.result ?? null}, ${texts.edit ?? null}, 1)`;

describe.each(databasesToTest())('a database of before stored texts were counted, on $name', (database) => {
  let old: Awaited<ReturnType<typeof openOldDatabase>>;
  let store: Store;

  beforeAll(async () => {
    old = await openOldDatabase(
      database,
      NAME,
      ['texts', 'work'],
      [
        insertRecord('texts', 'completed', { result: RESULT, edit: EDIT }),
        insertRecord('texts', 'failed', {}),
        insertRecord('work', 'pending', {}),
        insertRecord('work', 'processing', { durationMs: 3_600_000 }),
      ],
    );
    store = old.store;
  });
  afterAll(() => old.close());

  it('has the bytes of each record, which stay when it is measured again', async () => {
    const texts = [RESULT, EDIT, OPTIONS, OPTIONS].map((text) => Buffer.byteLength(text));
    const expected = texts.reduce((sum, bytes) => sum + bytes, 2 * 1_000);
    expect(await store.storedText.bytes('texts')).toBe(expected);
    await store.transcriptions.saveEdit('completed of texts', 'texts', { title: 'x' }, null);
    expect(await store.storedText.bytes('texts')).toBe(expected);
    await store.transcriptions.delete('failed of texts', 'texts');
    expect(await store.storedText.bytes('texts')).toBe(expected - 1_000 - Buffer.byteLength(OPTIONS));
  });

  it('counts for unfinished work what it may store, until it is done', async () => {
    const recordBytes = 1_000 + Buffer.byteLength(OPTIONS);
    expect(await store.storedText.bytes('work')).toBe(2 * recordBytes + 100_000 + 1_080_000);
    const result = newResult();
    const done = { result, cacheKey: 'key', processingSeconds: 1, creditsUsed: 1 };
    await store.transcriptions.complete('processing of work', done);
    const error = { code: 'internal_error', message: 'The transcription failed.' } as const;
    await store.transcriptions.fail('pending of work', { error, processingSeconds: null });
    expect(await store.storedText.bytes('work')).toBe(2 * recordBytes + Buffer.byteLength(JSON.stringify(result)));
  });
});
