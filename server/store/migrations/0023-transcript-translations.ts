import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Translations: one text for each segment of the transcript that `source_sha256` names. */
export const transcriptTranslations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('transcript_translations')
      .addColumn('transcription_id', 'text', (c) => c.notNull().references('transcriptions.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('source_sha256', 'text', (c) => c.notNull())
      .addColumn('texts', 'text')
      .addColumn('error', 'text')
      .addColumn('done', 'integer', (c) => c.notNull())
      .addColumn('total', 'integer', (c) => c.notNull())
      .addColumn('work_id', 'text', (c) => c.notNull())
      .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('transcript_translations_key', ['transcription_id', 'language'])
      .execute();
  },
};
