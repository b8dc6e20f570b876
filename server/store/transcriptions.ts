import type { ExpressionBuilder, Kysely } from 'kysely';
import type { TranscriptionRecord, TranscriptionStatus } from '@jyutsing/contracts/transcription';
import { compileRead } from './compiled-read.ts';
import { atomically, fromJson, fromJsonOrNull, toJson, toJsonOrNull } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { endReservation } from './quotas.ts';
import type { TranscriptionRepository } from '@jyutsing/contracts/repositories';
import type { TranscriptionSummary } from '@jyutsing/contracts/transcription';

type Row = Database['transcriptions'];

/** All but the texts, which may be large. */
const SUMMARY_COLUMNS = [
  'id',
  'account_id',
  'status',
  'blob_key',
  'content_sha256',
  'size_bytes',
  'options',
  'duration_ms',
  'output_language',
  'backend',
  'cache_key',
  'callback_url',
  'stage',
  'processed_ms',
  'error',
  'processing_seconds',
  'credits_used',
  'created_at_ms',
  'started_at_ms',
  'progress_at_ms',
  'finished_at_ms',
] as const satisfies (keyof Row)[];

/** The states in which a record can still change. */
const OPEN: TranscriptionStatus[] = ['pending', 'processing'];

type Reads =
  'find' | 'findState' | 'findProgress' | 'findFinished' | 'list' | 'findOpenBlobKeys' | 'findStuck' | 'countByStatus';

/** See `TranscriptionQueries` for the promises. */
export function createTranscriptionRepository(connection: Connection): TranscriptionRepository {
  return { ...createReads(connection), ...createChanges(connection) };
}

function createReads(connection: Connection): Pick<TranscriptionRepository, Reads> {
  const { reader } = connection;
  const readById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').selectAll().where('id', '=', id),
  );
  const readStateById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').select(['account_id', 'status', 'created_at_ms']).where('id', '=', id),
  );
  const readProgressById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').select(['status', 'stage', 'processed_ms', 'duration_ms']).where('id', '=', id),
  );
  return {
    async find(id) {
      const row = await readById(id);
      return row === undefined ? null : toRecord(row);
    },

    async findState(id) {
      const row = await readStateById(id);
      if (row === undefined) return null;
      return { accountId: row.account_id, status: row.status, createdAtMs: row.created_at_ms };
    },

    async findProgress(id) {
      const row = await readProgressById(id);
      if (row === undefined) return null;
      const { status, stage, processed_ms: processedMs, duration_ms: durationMs } = row;
      return { status, stage, processedMs, durationMs };
    },

    async findFinished(accountId, cacheKey) {
      if (cacheKey === '') return null;
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

    async list(accountId, { limit, before, status }) {
      const rows = await reader
        .selectFrom('transcriptions')
        .select(SUMMARY_COLUMNS)
        .where('account_id', '=', accountId)
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
        .$if(before !== undefined, (query) => query.where((eb) => isOlderThan(eb, before ?? '')))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toSummary);
    },

    async findOpenBlobKeys() {
      const rows = await reader.selectFrom('transcriptions').select('blob_key').where('status', 'in', OPEN).execute();
      return rows.flatMap((row) => row.blob_key ?? []);
    },

    findStuck: (beforeMs) => findStuck(reader, beforeMs),

    countByStatus: () => countByStatus(reader),
  };
}

function createChanges(connection: Connection): Omit<TranscriptionRepository, Reads> {
  const { writer } = connection;
  return {
    async insert(record) {
      await writer.insertInto('transcriptions').values(toRow(record)).execute();
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
        backend: result.backend,
        processing_seconds: processingSeconds,
        credits_used: creditsUsed,
      }),

    fail: (id, { error, processingSeconds }) =>
      end(connection, id, 0, { status: 'failed', error: toJson(error), processing_seconds: processingSeconds }),

    delete: (id, accountId) =>
      atomically(connection, async (transaction) => {
        const deleted = await transaction
          .deleteFrom('transcriptions')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (deleted.numDeletedRows === 0n) return false;
        // A final record holds no reservation any more, so this touches only unfinished ones.
        await endReservation(transaction, id, 0);
        return true;
      }),

    async deleteFinishedBefore(beforeMs, limit) {
      const oldest = writer
        .selectFrom('transcriptions')
        .select('id')
        .where('finished_at_ms', '<', beforeMs)
        .where('status', 'in', ['completed', 'failed'])
        .orderBy('finished_at_ms')
        .limit(limit);
      const rows = await writer.deleteFrom('transcriptions').where('id', 'in', oldest).returning('blob_key').execute();
      return rows.map((row) => ({ blobKey: row.blob_key }));
    },
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
  return { ...toSummary(row), result: fromJsonOrNull(row.result) };
}

function toSummary(row: Omit<Row, 'result'>): TranscriptionSummary {
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
    error: fromJsonOrNull(row.error),
    processingSeconds: row.processing_seconds,
    creditsUsed: row.credits_used,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    progressAtMs: row.progress_at_ms,
    finishedAtMs: row.finished_at_ms,
  };
}
