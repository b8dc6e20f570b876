import type { SerializedError } from '@jyutsing/contracts/errors';
import { fromJsonOrNull, toJson, type Connection, type Database } from './database-types.ts';
import type { StoredTranslation, TranslationRepository } from './repositories/translations.ts';

type Row = Database['transcript_translations'];

/** Implements `TranslationRepository`. */
export function createTranslationRepository({ reader, writer }: Connection): TranslationRepository {
  const change = async (
    { transcriptionId, language }: Parameters<TranslationRepository['find']>[0],
    workId: string,
    set: Partial<Row>,
  ) => {
    const changed = await writer
      .updateTable('transcript_translations')
      .set({ ...set, changed_at_ms: Date.now() })
      .where('transcription_id', '=', transcriptionId)
      .where('language', '=', language)
      .where('work_id', '=', workId)
      .where('status', '=', 'processing')
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  };
  return {
    async find({ transcriptionId, language }) {
      const row = await reader
        .selectFrom('transcript_translations')
        .selectAll()
        .where('transcription_id', '=', transcriptionId)
        .where('language', '=', language)
        .executeTakeFirst();
      return row === undefined ? null : toTranslation(row);
    },

    async list(transcriptionId) {
      const rows = await reader
        .selectFrom('transcript_translations')
        .select(['language', 'status', 'source_sha256', 'error', 'done', 'total', 'work_id', 'changed_at_ms'])
        .where('transcription_id', '=', transcriptionId)
        .orderBy('language')
        .execute();
      return rows.map((row) => toTranslation({ ...row, texts: null }));
    },

    async begin({ transcriptionId, accountId, language }, { sourceSha256, total, workId }, replaces) {
      const row = {
        status: 'processing' as const,
        source_sha256: sourceSha256,
        texts: null,
        error: null,
        done: 0,
        total,
        work_id: workId,
        changed_at_ms: Date.now(),
      };
      const begun = await writer
        .insertInto('transcript_translations')
        .columns(['transcription_id', 'account_id', 'language', ...keysOf(row)])
        .expression((eb) =>
          eb
            .selectFrom('transcriptions')
            .select(({ ref, val }) => [
              ref('id').as('transcription_id'),
              ref('account_id').as('account_id'),
              val(language).as('language'),
              ...keysOf(row).map((name) => val(row[name]).as(name)),
            ])
            .where('id', '=', transcriptionId)
            .where('account_id', '=', accountId),
        )
        .onConflict((conflict) => {
          const present = conflict.columns(['transcription_id', 'language']);
          if (replaces === null) return present.doNothing();
          return present.doUpdateSet(row).where('transcript_translations.work_id', '=', replaces);
        })
        .executeTakeFirst();
      return (begun.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    progress: (place, workId, done) => change(place, workId, { done }),

    end: (place, workId, outcome) =>
      change(
        place,
        workId,
        'texts' in outcome
          ? { status: 'completed', texts: toJson(outcome.texts), done: outcome.texts.length }
          : { status: 'failed', error: toJson<SerializedError>(outcome.error) },
      ),
  };
}

const keysOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];

function toTranslation(row: Omit<Row, 'transcription_id' | 'account_id'>): StoredTranslation {
  return {
    language: row.language,
    status: row.status,
    sourceSha256: row.source_sha256,
    texts: fromJsonOrNull(row.texts),
    error: fromJsonOrNull(row.error),
    done: row.done,
    total: row.total,
    workId: row.work_id,
    changedAtMs: Number(row.changed_at_ms),
  };
}
