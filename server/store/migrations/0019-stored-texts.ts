import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How much each transcription stores as text, for the sum of an account without reading its texts.
 * A table of its own: in SQLite a new column would write every stored text again. Both databases
 * know the length of a value without reading it. Work that is not done gets at least the 100,000
 * bytes that `stored-texts.ts` sets aside for it.
 */
export const storedTexts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('stored_texts')
      .addColumn('transcription_id', 'text', (c) => c.primaryKey().references('transcriptions.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .execute();
    await sql`insert into stored_texts (transcription_id, account_id, bytes)
      select id, account_id,
        1000 + octet_length(options) + coalesce(octet_length(result), 0) + coalesce(octet_length(edit), 0)
          + case when status not in ('pending', 'processing') then 0
              when duration_ms * 3 / 10 > 100000 then duration_ms * 3 / 10 else 100000 end
      from transcriptions`.execute(db);
    await db.schema
      .createIndex('stored_texts_by_account')
      .on('stored_texts')
      .columns(['account_id', 'bytes'])
      .execute();
  },
};
