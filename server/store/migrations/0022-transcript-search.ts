import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The words of completed transcripts for the search, and tags. Triggers note every transcript whose
 * words are missing or of an earlier version in `unindexed_transcripts`, whichever way it came or
 * changed; those of earlier versions of the program are noted here. `number` orders documents, and
 * the index of SQLite refers to it.
 */
export const transcriptSearch: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await db.schema
      .createTable('unindexed_transcripts')
      .addColumn('transcription_id', 'text', (c) => c.primaryKey().references('transcriptions.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('unindexed_transcripts_by_account')
      .on('unindexed_transcripts')
      .columns(['account_id'])
      .execute();
    await db.schema
      .createTable('transcript_texts')
      .addColumn('number', isPostgres ? 'bigint' : 'integer', (c) =>
        isPostgres ? c.generatedAlwaysAsIdentity().primaryKey() : c.primaryKey(),
      )
      .addColumn('transcription_id', 'text', (c) =>
        c.notNull().unique().references('transcriptions.id').onDelete('cascade'),
      )
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('syllables', 'text', (c) => c.notNull())
      .addColumn('jyutping', 'text', (c) => c.notNull())
      .addColumn('segments', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('transcript_tags')
      .addColumn('transcription_id', 'text', (c) => c.notNull().references('transcriptions.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('tag', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('transcript_tags_key', ['transcription_id', 'tag'])
      .execute();
    await db.schema
      .createIndex('transcript_tags_by_account')
      .on('transcript_tags')
      .columns(['account_id', 'tag'])
      .execute();
    await sql`insert into unindexed_transcripts (transcription_id, account_id)
      select id, account_id from transcriptions where status = 'completed'`.execute(db);
    await (isPostgres ? upPostgres(db) : upSqlite(db));
  },
};

/** Full-text search without a copy of the texts; `secure-delete` overwrites what is deleted. */
async function upSqlite(db: Kysely<unknown>): Promise<void> {
  const note = sql.raw(`begin
      insert into unindexed_transcripts (transcription_id, account_id) values (new.id, new.account_id)
        on conflict do nothing;
    end`);
  await sql`create trigger transcript_completed after insert on transcriptions
    when new.status = 'completed' ${note}`.execute(db);
  await sql`create trigger transcript_changed after update of status, edit_version on transcriptions
    when new.status = 'completed' and (old.status <> 'completed' or old.edit_version <> new.edit_version)
    ${note}`.execute(db);
  await sql`create virtual table transcript_index using fts5(
    account_id, title, text, syllables, content='transcript_texts', content_rowid='number',
    tokenize="unicode61 remove_diacritics 0 tokenchars '-'")`.execute(db);
  await sql`insert into transcript_index (transcript_index, rank) values ('secure-delete', 1)`.execute(db);
  const columns = sql.raw('account_id, title, text, syllables');
  const removed = sql.raw(`insert into transcript_index (transcript_index, rowid, account_id, title, text, syllables)
      values ('delete', old.number, old.account_id, old.title, old.text, old.syllables);`);
  const added = sql.raw(`insert into transcript_index (rowid, account_id, title, text, syllables)
      values (new.number, new.account_id, new.title, new.text, new.syllables);`);
  await sql`create trigger transcript_text_inserted after insert on transcript_texts begin ${added} end`.execute(db);
  await sql`create trigger transcript_text_deleted after delete on transcript_texts begin ${removed} end`.execute(db);
  await sql`create trigger transcript_text_updated after update of ${columns} on transcript_texts
    begin ${removed} ${added} end`.execute(db);
}

/**
 * An index of arrays: the text search of PostgreSQL loses positions beyond 16,383, and how it
 * divides Chinese depends on the locale. `tokens` has the account, the words and the pairs of
 * neighbors.
 */
async function upPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transcript_texts add column tokens text[] not null`.execute(db);
  await sql`create index transcript_texts_by_token on transcript_texts using gin (tokens)`.execute(db);
  await sql`create function note_unindexed_transcript() returns trigger language plpgsql as $$
    begin
      insert into unindexed_transcripts (transcription_id, account_id) values (new.id, new.account_id)
        on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`create trigger transcript_completed after insert on transcriptions for each row
    when (new.status = 'completed') execute function note_unindexed_transcript()`.execute(db);
  await sql`create trigger transcript_changed after update of status, edit_version on transcriptions for each row
    when (new.status = 'completed' and (old.status <> 'completed' or old.edit_version <> new.edit_version))
    execute function note_unindexed_transcript()`.execute(db);
}
