import type { ExpressionBuilder, Kysely } from 'kysely';
import type { TranscriptionRecord, TranscriptionStatus } from '#contracts/transcription.ts';
import { compileRead } from './compiled-read.ts';
import { atomically, fromJson, fromJsonOrNull, toJson, toJsonOrNull } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { endReservation } from './quotas.ts';
import type { TranscriptionQueries } from './store.ts';

type Row = Database['transcriptions'];

/** The states in which a record can still change. */
const OPEN: TranscriptionStatus[] = ['pending', 'processing'];

/** See `TranscriptionQueries` for the promises. */
export function createTranscriptionQueries(connection: Connection): TranscriptionQueries {
  const { writer, reader } = connection;
  const readById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').selectAll().where('id', '=', id),
  );
  const readStateById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').select(['account_id', 'status', 'created_at_ms']).where('id', '=', id),
  );
  return {
    async insert(record) {
      await writer.insertInto('transcriptions').values(toRow(record)).execute();
    },

    async find(id) {
      const row = await readById(id);
      return row === undefined ? null : toRecord(row);
    },

    async findState(id) {
      const row = await readStateById(id);
      if (row === undefined) return null;
      return { accountId: row.account_id, status: row.status, createdAtMs: row.created_at_ms };
    },

    async findFinished(accountId, cacheKey) {
      const row = await reader
        .selectFrom('transcriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('cache_key', '=', cacheKey)
        .where('status', '=', 'completed')
        .orderBy('finished_at_ms', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toRecord(row);
    },

    async list(accountId, { limit, before }) {
      const rows = await reader
        .selectFrom('transcriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(before !== undefined, (query) => query.where((eb) => isOlderThan(eb, before ?? '')))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },

    async start(id) {
      const nowMs = Date.now();
      const done = await writer
        .updateTable('transcriptions')
        .set((eb) => ({
          status: 'processing',
          started_at_ms: eb.fn.coalesce('started_at_ms', eb.val(nowMs)),
          progress_at_ms: nowMs,
          stage: 'queued',
          processed_ms: 0,
        }))
        .where('id', '=', id)
        .where('status', 'in', OPEN)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async progress(id, { stage, processedMs }) {
      const done = await writer
        .updateTable('transcriptions')
        .set({ stage, processed_ms: Math.round(processedMs), progress_at_ms: Date.now() })
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    complete: (id, { result, cacheKey, processingSeconds, creditsUsed }) =>
      end(connection, id, creditsUsed, {
        status: 'completed',
        cache_key: cacheKey,
        result: toJson(result),
        processed_ms: Math.round(result.durationMs),
        duration_ms: Math.round(result.durationMs),
        output_language: result.language,
        processing_seconds: processingSeconds,
        credits_used: creditsUsed,
      }),

    fail: (id, { error, processingSeconds }) =>
      end(connection, id, 0, { status: 'failed', error: toJson(error), processing_seconds: processingSeconds }),

    delete: (id) =>
      atomically(connection, async (transaction) => {
        const deleted = await transaction.deleteFrom('transcriptions').where('id', '=', id).executeTakeFirst();
        if (deleted.numDeletedRows === 0n) return false;
        // A final record holds no reservation any more, so this touches only unfinished ones.
        await endReservation(transaction, id, 0);
        return true;
      }),

    findStuck: (beforeMs) => findStuck(reader, beforeMs),

    countByStatus: () => countByStatus(reader),
  };
}

async function findStuck(reader: Kysely<Database>, beforeMs: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('transcriptions')
    .select('id')
    .where('status', '=', 'processing')
    .where('progress_at_ms', '<', beforeMs)
    .execute();
  return rows.map((row) => row.id);
}

async function countByStatus(reader: Kysely<Database>): Promise<Record<TranscriptionStatus, number>> {
  const counts: Record<TranscriptionStatus, number> = { pending: 0, processing: 0, completed: 0, failed: 0 };
  const rows = await reader
    .selectFrom('transcriptions')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  for (const row of rows) counts[row.status] = row.count;
  return counts;
}

/** Ends a record and its reservation in one transaction; false, and nothing changed, when it was final already. */
function end(connection: Connection, id: string, creditsUsed: number, change: Partial<Row>): Promise<boolean> {
  return atomically(connection, async (transaction: Kysely<Database>) => {
    const nowMs = Date.now();
    const done = await transaction
      .updateTable('transcriptions')
      .set({ ...change, progress_at_ms: nowMs, finished_at_ms: nowMs })
      .where('id', '=', id)
      .where('status', 'in', OPEN)
      .executeTakeFirst();
    if (done.numUpdatedRows === 0n) return false;
    await endReservation(transaction, id, creditsUsed);
    return true;
  });
}

/** Time alone does not order records of the same millisecond, so the id decides between them. */
function isOlderThan(eb: ExpressionBuilder<Database, 'transcriptions'>, id: string) {
  const createdAtMs = eb.selectFrom('transcriptions as last').select('last.created_at_ms').where('last.id', '=', id);
  return eb.or([
    eb('created_at_ms', '<', createdAtMs),
    eb.and([eb('created_at_ms', '=', createdAtMs), eb('id', '<', id)]),
  ]);
}

function toRow(record: TranscriptionRecord): Row {
  return {
    id: record.id,
    account_id: record.accountId,
    status: record.status,
    blob_key: record.blobKey,
    content_sha256: record.contentSha256,
    size_bytes: record.sizeBytes,
    options: toJson(record.options),
    duration_ms: Math.round(record.durationMs),
    output_language: record.outputLanguage,
    backend: record.backend,
    cache_key: record.cacheKey,
    callback_url: record.callbackUrl,
    stage: record.stage,
    processed_ms: Math.round(record.processedMs),
    result: toJsonOrNull(record.result),
    error: toJsonOrNull(record.error),
    processing_seconds: record.processingSeconds,
    credits_used: record.creditsUsed,
    created_at_ms: record.createdAtMs,
    started_at_ms: record.startedAtMs,
    progress_at_ms: record.progressAtMs,
    finished_at_ms: record.finishedAtMs,
  };
}

function toRecord(row: Row): TranscriptionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    blobKey: row.blob_key,
    contentSha256: row.content_sha256,
    sizeBytes: row.size_bytes,
    options: fromJson(row.options),
    durationMs: row.duration_ms,
    outputLanguage: row.output_language,
    backend: row.backend,
    cacheKey: row.cache_key,
    callbackUrl: row.callback_url,
    stage: row.stage,
    processedMs: row.processed_ms,
    result: fromJsonOrNull(row.result),
    error: fromJsonOrNull(row.error),
    processingSeconds: row.processing_seconds,
    creditsUsed: row.credits_used,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    progressAtMs: row.progress_at_ms,
    finishedAtMs: row.finished_at_ms,
  };
}
