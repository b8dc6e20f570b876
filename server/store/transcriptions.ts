import type { ExpressionBuilder, Kysely, QueryResult } from 'kysely';
import type { TranscriptionRepository } from './repositories/transcriptions.ts';
import {
  isFinal,
  KEPT_FOLDER,
  type TranscriptionStatus,
  type TranscriptionSummary,
} from '@jyutsing/contracts/transcription';
import { compileRead } from './compiled-read.ts';
import { compileStatement } from './compiled-statement.ts';
import { atomically, toJson, type Connection, type Database } from './database-types.ts';
import { deleteFinished } from './delete-finished.ts';
import { forgetDeleted, rememberDeleted, wasDeleted } from './deleted-transcriptions.ts';
import { atLeast, createJoinedWork, handOver, NO_WORK, OPEN } from './joined-work.ts';
import { lockAccount } from './lock-account.ts';
import { completeOpen, failOpen, startOpen, type RecordChange } from './open-transcriptions.ts';
import { endReservation } from './quotas.ts';
import { measureTexts, withinStoredText } from './stored-texts.ts';
import { saveEdit } from './transcript-edits.ts';
import { SUMMARY_COLUMNS, toCompleted, toRecord, toRow, toSummary } from './transcription-rows.ts';

type Row = Database['transcriptions'];
/** Blob keys of kept recordings. */
const KEPT = `${KEPT_FOLDER}/%`;

type Deletions = 'delete' | 'deleteFinished' | 'forgetDeleted' | 'wasDeleted';
type JoinedWork = 'insertOrJoin' | 'joinedTo' | 'successorOf' | 'handOut' | 'endJoined' | 'findUnendedWork';
type Reads =
  | 'find'
  | 'findState'
  | 'findProgress'
  | 'findFinished'
  | 'findBatch'
  | 'findListed'
  | 'list'
  | 'keptBytes'
  | 'findNeededBlobKeys'
  | 'findStuck'
  | 'countByStatus';

const lastCompleted = compileStatement((database, { accountId, cacheKey }: { accountId: string; cacheKey: string }) =>
  database
    .selectFrom('transcriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('cache_key', '=', cacheKey)
    .where('status', '=', 'completed')
    .orderBy('finished_at_ms', 'desc')
    .limit(1),
);

/** Implements `TranscriptionRepository`. */
export function createTranscriptionRepository(connection: Connection): TranscriptionRepository {
  return {
    ...createReads(connection),
    ...createChanges(connection),
    ...createDeletions(connection),
    ...createJoinedWork(connection, toRow),
  };
}

function createReads(connection: Connection): Pick<TranscriptionRepository, Reads> {
  const { reader } = connection;
  const readById = compileRead(connection, (id) =>
    reader.selectFrom('transcriptions').selectAll().where('id', '=', id),
  );
  const readStateById = compileRead(connection, (id) =>
    reader
      .selectFrom('transcriptions')
      .select(['account_id', 'status', 'created_at_ms', 'edit_version', 'work_key', 'joined_to'])
      .where('id', '=', id),
  );
  return {
    async find(id) {
      const row = await readById(id);
      return row === undefined ? null : toRecord(row);
    },

    async findState(id) {
      const row = await readStateById(id);
      if (row === undefined) return null;
      const { account_id: accountId, status, created_at_ms: createdAtMs, edit_version: editVersion } = row;
      return { accountId, status, createdAtMs, editVersion, workId: workIdOf({ ...row, id }) };
    },

    async findProgress(ids) {
      const rows = await reader
        .selectFrom('transcriptions as own')
        .leftJoin('transcriptions as work', (join) =>
          join.onRef('work.id', '=', 'own.joined_to').on('own.work_key', 'is', null),
        )
        .select((eb) => [
          'own.id',
          'own.status',
          'own.work_key',
          'own.joined_to',
          'own.duration_ms',
          eb.fn.coalesce('work.stage', 'own.stage').as('stage'),
          eb.fn.coalesce('work.processed_ms', 'own.processed_ms').as('processed_ms'),
        ])
        .where('own.id', 'in', ids)
        .execute();
      return new Map(
        rows.map((row) => {
          const { id, status, stage, processed_ms: processedMs, duration_ms: durationMs } = row;
          return [id, { status, stage, processedMs, durationMs, workId: workIdOf(row) }];
        }),
      );
    },

    async findFinished(accountId, cacheKey) {
      if (cacheKey === '') return null;
      const [row] = (await lastCompleted(reader, { accountId, cacheKey })).rows;
      return row === undefined ? null : toCompleted(row);
    },

    list: (accountId, page) => list(reader, accountId, page),

    findListed: (accountId, ids) => findListed(reader, accountId, ids),

    findBatch: (accountId, batchId) => findBatch(reader, accountId, batchId),

    keptBytes: (accountId) => keptBytes(reader, accountId),

    findNeededBlobKeys: () => findNeededBlobKeys(reader),

    findStuck: (beforeMs) => findStuck(reader, beforeMs),

    countByStatus: () => countByStatus(reader),
  };
}

function createChanges(connection: Connection): Omit<TranscriptionRepository, Reads | JoinedWork | Deletions> {
  const { writer } = connection;
  return {
    async insert(record) {
      await atomically(connection, async (transaction) => {
        await transaction
          .insertInto('transcriptions')
          .values({ ...toRow(record), ...NO_WORK })
          .execute();
        await measureTexts(transaction, [record.id]);
      });
    },

    async keptBytesLocked(accountId) {
      await lockAccount(writer, accountId);
      return keptBytes(writer, accountId);
    },

    async start(id) {
      const done = await startOpen(writer, { id, nowMs: Date.now() });
      return done.numAffectedRows! > 0n;
    },

    async progress(id, { stage, processedMs }) {
      const done = await writer
        .updateTable('transcriptions')
        .set((eb) => ({
          stage,
          processed_ms: Math.round(processedMs),
          recognized_ms: atLeast(eb, 'recognized_ms', processedMs),
          progress_at_ms: Date.now(),
        }))
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    complete: (id, { result, cacheKey, processingSeconds, creditsUsed }) => {
      const durationMs = Math.round(result.durationMs);
      return end(connection, id, creditsUsed, completeOpen, {
        cache_key: cacheKey,
        processed_ms: durationMs,
        duration_ms: durationMs,
        output_language: result.language,
        backend: result.backend,
        result: toJson(result),
        processing_seconds: processingSeconds,
        credits_used: creditsUsed,
      });
    },

    fail: (id, { error, processingSeconds }) =>
      end(connection, id, null, failOpen, { error: toJson(error), processing_seconds: processingSeconds }),

    saveEdit: (id, accountId, change, expectedVersion, textLimitBytes = null) =>
      withinStoredText(connection, accountId, textLimitBytes, async (transaction) => {
        const row = await saveEdit(transaction, id, accountId, change, expectedVersion);
        return row === null ? null : toRecord(row);
      }),
  };
}

function createDeletions(connection: Connection): Pick<TranscriptionRepository, Deletions> {
  const { reader, writer } = connection;
  return {
    delete: (id, accountId) => atomically(connection, (transaction) => deleteRecord(transaction, id, accountId)),

    deleteFinished: (which) => deleteFinished(connection, which),

    forgetDeleted: (limit) => forgetDeleted(writer, limit),

    wasDeleted: (id) => wasDeleted(reader, id),
  };
}

async function list(
  reader: Kysely<Database>,
  accountId: string,
  { limit, before, status, batchId, tags = [] }: Parameters<TranscriptionRepository['list']>[1],
): Promise<TranscriptionSummary[]> {
  const rows = await reader
    .selectFrom('transcriptions')
    .select(SUMMARY_COLUMNS)
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
    .$if(batchId !== undefined, (query) => query.where('batch_id', '=', batchId ?? ''))
    .$if(tags.length > 0, (query) =>
      query.where(
        (eb) =>
          eb
            .selectFrom('transcript_tags as tagged')
            .select((inner) => inner.fn.countAll<number>().as('count'))
            .whereRef('tagged.transcription_id', '=', 'transcriptions.id')
            .where('tagged.tag', 'in', tags),
        '=',
        tags.length,
      ),
    )
    .$if(before !== undefined, (query) => query.where((eb) => isOlderThan(eb, before ?? '')))
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toSummary);
}

async function findListed(
  reader: Kysely<Database>,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, TranscriptionSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('transcriptions')
    .select(SUMMARY_COLUMNS)
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, toSummary(row)]));
}

async function findBatch(reader: Kysely<Database>, accountId: string, batchId: string) {
  const rows = await reader
    .selectFrom('transcriptions')
    .select(SUMMARY_COLUMNS)
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .orderBy('batch_position')
    .execute();
  return rows.map(toSummary);
}

async function keptBytes(database: Kysely<Database>, accountId: string): Promise<number> {
  const { bytes } = await database
    .selectFrom('transcriptions')
    .select((eb) => eb.fn.sum<number | string | null>('size_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .where('blob_key', 'like', KEPT)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

async function findNeededBlobKeys(reader: Kysely<Database>): Promise<string[]> {
  const rows = await reader
    .selectFrom('transcriptions')
    .select('blob_key')
    .where((eb) => eb.or([eb('status', 'in', OPEN), eb('blob_key', 'like', KEPT)]))
    .execute();
  return rows.flatMap((row) => row.blob_key ?? []);
}

async function findStuck(reader: Kysely<Database>, beforeMs: number) {
  const rows = await reader
    .selectFrom('transcriptions')
    .select(['id', 'progress_at_ms'])
    .where('status', '=', 'processing')
    .where('progress_at_ms', '<', beforeMs)
    .execute();
  return rows.map((row) => ({ id: row.id, progressAtMs: row.progress_at_ms ?? 0 }));
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

/**
 * Ends a record and its reservation in one transaction; false, without a change, when it was final
 * already. `creditsUsed` null: only what was handed out is charged.
 */
function end<Change extends object>(
  connection: Connection,
  id: string,
  creditsUsed: number | null,
  write: (
    transaction: Kysely<Database>,
    values: RecordChange & Change,
  ) => Promise<QueryResult<{ handed_out_ms: number }>>,
  change: Change,
): Promise<boolean> {
  return atomically(connection, async (transaction: Kysely<Database>) => {
    const [done] = (await write(transaction, { id, nowMs: Date.now(), ...change })).rows;
    if (done === undefined) return false;
    await measureTexts(transaction, [id]);
    await endReservation(transaction, id, creditsUsed ?? toCredits(done.handed_out_ms));
    return true;
  });
}

/** The record whose job does the work of this one. */
function workIdOf({ id, work_key, joined_to }: Pick<Row, 'id' | 'work_key' | 'joined_to'>): string {
  return work_key === null ? (joined_to ?? id) : id;
}

async function deleteRecord(transaction: Kysely<Database>, id: string, accountId: string): Promise<boolean> {
  const deleted = await transaction
    .deleteFrom('transcriptions')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  if (deleted === undefined) return false;
  await rememberDeleted(transaction, [id]);
  // A final record has no reservation, and nothing waits for it: see `endJoined`.
  if (!isFinal(deleted) && !(await handOver(transaction, deleted))) {
    await endReservation(transaction, id, toCredits(Math.max(deleted.recognized_ms, deleted.handed_out_ms)));
  }
  return true;
}

/** Records of the same millisecond are ordered by id. */
function isOlderThan(eb: ExpressionBuilder<Database, 'transcriptions'>, id: string) {
  const createdAtMs = eb.selectFrom('transcriptions as last').select('last.created_at_ms').where('last.id', '=', id);
  return eb.or([
    eb('created_at_ms', '<', createdAtMs),
    eb.and([eb('created_at_ms', '=', createdAtMs), eb('id', '<', id)]),
  ]);
}

/** The credits for a part of a recording: seconds, rounded up. */
function toCredits(timeMs: number): number {
  return Math.ceil(timeMs / 1_000);
}
