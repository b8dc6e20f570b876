import { sql, type ExpressionBuilder, type Kysely, type UpdateObject } from 'kysely';
import { AppError } from '@jyutsing/contracts/errors';
import type { JoinedRecord, TranscriptionRepository } from './repositories/transcriptions.ts';
import { asCached, type OpenTranscription, type TranscriptionStatus } from '@jyutsing/contracts/transcription';
import { compileStatement } from './compiled-statement.ts';
import { atomically, fromJson, toJson, type Connection, type Database } from './database-types.ts';
import { shareAccount } from './lock-account.ts';
import { measureTexts } from './stored-texts.ts';

type Row = Database['transcriptions'];
/** A record as it is inserted, with what it declares about its work. */
type NewRow = Omit<Row, 'work_key' | 'joined_to' | 'recognized_ms' | 'handed_out_ms'>;

/** The statuses in which a record can still change. */
export const OPEN: TranscriptionStatus[] = ['pending', 'processing'];

/** The work of a new record alone, of which nothing is done. */
export const NO_WORK = { work_key: null, joined_to: null, recognized_ms: 0, handed_out_ms: 0 } as const;

const MAX_ATTEMPTS = 10;

const JOINED_COLUMNS = ['id', 'account_id', 'callback_url', 'blob_key'] as const;

function toJoined(row: Pick<Row, (typeof JOINED_COLUMNS)[number]>): JoinedRecord {
  return { id: row.id, accountId: row.account_id, callbackUrl: row.callback_url, blobKey: row.blob_key };
}

const readJoined = compileStatement((database, { id }: { id: string }) =>
  database
    .selectFrom('transcriptions')
    .select(JOINED_COLUMNS)
    .where('joined_to', '=', id)
    .where('work_key', 'is', null),
);

/** Inserts nothing while another record does the same work. */
const insertLeader = compileStatement((database, row: Row) =>
  database
    .insertInto('transcriptions')
    .values(row)
    .onConflict((oc) => oc.columns(['account_id', 'work_key']).doNothing())
    .returning('id'),
);

/** The part of `TranscriptionRepository` about simultaneous records of the same work. */
export function createJoinedWork(
  connection: Connection,
  toRow: (record: OpenTranscription) => NewRow,
): Pick<
  TranscriptionRepository,
  'insertOrJoin' | 'joinedTo' | 'successorOf' | 'handOut' | 'endJoined' | 'findUnendedWork'
> {
  const { reader, writer } = connection;
  return {
    insertOrJoin: (record) =>
      atomically(connection, async (writer) => {
        const joined = await insertOrJoin({ ...connection, writer }, toRow(record));
        await measureTexts(writer, [record.id]);
        return joined;
      }),

    async handOut(id, endMs) {
      const done = await writer
        .updateTable('transcriptions')
        .set((eb) => ({ handed_out_ms: atLeast(eb, 'handed_out_ms', endMs) }))
        .where('id', '=', (eb) => workOf(eb, id))
        .where('status', 'in', OPEN)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async joinedTo(id) {
      const { rows } = await readJoined(reader, { id });
      return rows.map(toJoined);
    },

    endJoined: (id) => atomically(connection, (writer) => endJoined({ ...connection, writer }, id)),

    async findUnendedWork() {
      const rows = await reader
        .selectFrom('transcriptions')
        .innerJoin('transcriptions as work', 'work.id', 'transcriptions.joined_to')
        .select('work.id')
        .distinct()
        .where('transcriptions.work_key', 'is', null)
        .where('transcriptions.status', 'in', OPEN)
        .where('work.status', 'in', ['completed', 'failed'])
        .execute();
      return rows.map((row) => row.id);
    },

    async successorOf(deletedId) {
      const row = await reader
        .selectFrom('transcriptions')
        .select(['id', 'account_id'])
        .where('joined_to', '=', deletedId)
        .where('work_key', 'is not', null)
        .executeTakeFirst();
      return row === undefined ? null : { id: row.id, accountId: row.account_id };
    },
  };
}

/** The larger of a column and a number of milliseconds, in the words of both databases. */
export function atLeast(
  eb: ExpressionBuilder<Database, 'transcriptions'>,
  column: 'recognized_ms' | 'handed_out_ms',
  timeMs: number,
) {
  const whole = Math.round(timeMs);
  return eb.case().when(column, '<', whole).then(whole).else(eb.ref(column)).end();
}

/** The id of the record whose job does the work of the record `id`; see `findState`. */
function workOf(eb: ExpressionBuilder<Database, 'transcriptions'>, id: string) {
  return eb
    .selectFrom('transcriptions as own')
    .select(({ fn, ref, case: when }) =>
      when()
        .when('own.work_key', 'is', null)
        .then(fn.coalesce('own.joined_to', 'own.id'))
        .else(ref('own.id'))
        .end()
        .as('id'),
    )
    .where('own.id', '=', id);
}

/**
 * Inserts a record whose job does the work, or joins it to the one that does it already. Returns
 * the id of that one; null: the new record does the work. The unique key and the lock on the other
 * record decide, so simultaneous requests and the end of the work see each other, also in other
 * processes.
 */
async function insertOrJoin(connection: Connection, row: NewRow): Promise<string | null> {
  const { writer: transaction } = connection;
  const record = { ...row, ...NO_WORK };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const leads = await insertLeader(transaction, { ...record, work_key: row.cache_key });
    if (leads.rows.length > 0) return null;
    await shareAccount(connection, row.account_id);
    // A change of nothing: it locks the row until this transaction ends.
    const leader = await transaction
      .updateTable('transcriptions')
      .set((eb) => ({ stage: eb.ref('stage') }))
      .where('account_id', '=', row.account_id)
      .where('work_key', '=', row.cache_key)
      .where('status', 'in', OPEN)
      .returning('id')
      .executeTakeFirst();
    // A leader that is missing has ended meanwhile.
    if (leader === undefined) continue;
    await transaction
      .insertInto('transcriptions')
      .values({ ...record, joined_to: leader.id })
      .execute();
    return leader.id;
  }
  throw new AppError('internal_error', undefined, { cause: 'the same work began and ended again and again' });
}

/**
 * After the record `id` was deleted: the oldest record that joined it does the work from now on,
 * with the reservation and the costs so far. False when none had joined it.
 */
export async function handOver(transaction: Kysely<Database>, deleted: Row): Promise<boolean> {
  const successor = await takeOver(transaction, deleted);
  if (successor === null) return false;
  await transaction
    .updateTable('quota_reservations')
    .set({ request_id: successor.id })
    .where('request_id', '=', deleted.id)
    .execute();
  await transaction
    .updateTable('transcriptions')
    .set({ joined_to: successor.id })
    .where('joined_to', '=', deleted.id)
    .where('id', '!=', successor.id)
    .execute();
  return true;
}

/** The oldest record that joined a deleted one and now leads; null when there is none. */
async function takeOver(transaction: Kysely<Database>, deleted: Row): Promise<{ id: string } | null> {
  for (;;) {
    const candidate = await transaction
      .selectFrom('transcriptions')
      .select('id')
      .where('joined_to', '=', deleted.id)
      .where('status', 'in', OPEN)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (candidate === undefined) return null;
    const { work_key, recognized_ms, handed_out_ms } = deleted;
    const successor = await transaction
      .updateTable('transcriptions')
      .set({ work_key, recognized_ms, handed_out_ms })
      .where('id', '=', candidate.id)
      .where('status', 'in', OPEN)
      .returning('id')
      .executeTakeFirst();
    // A successor that is missing was deleted meanwhile, too.
    if (successor !== undefined) return successor;
  }
}

const ENDED_AT_ONCE = 16;
/**
 * The most bytes of results that one transaction copies, unless a single result is larger. A result
 * has a megabyte for an hour of speech; SQLite stops the event loop while it writes the copies, and
 * PostgreSQL limits the time of a statement.
 */
const BYTES_AT_ONCE = 4_000_000;

/** Implements `TranscriptionRepository.endJoined`. They cost nothing and took no time. */
async function endJoined(
  { dialect, writer }: Pick<Connection, 'dialect' | 'writer'>,
  id: string,
): Promise<JoinedRecord[]> {
  const work = await writer.selectFrom('transcriptions').select('account_id').where('id', '=', id).executeTakeFirst();
  if (work === undefined) return [];
  await shareAccount({ dialect, writer }, work.account_id);
  const leader = await writer
    .selectFrom('transcriptions')
    .select(['status', sql<number>`coalesce(octet_length(result), 0)`.as('bytes')])
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (leader === undefined || OPEN.includes(leader.status)) return [];
  const waiting = await writer
    .selectFrom('transcriptions')
    .select('id')
    .where('joined_to', '=', id)
    .where('work_key', 'is', null)
    .where('status', 'in', OPEN)
    .orderBy('id')
    .limit(Math.max(1, Math.min(ENDED_AT_ONCE, Math.floor(BYTES_AT_ONCE / leader.bytes))))
    .execute();
  if (waiting.length === 0) return [];
  const ids = waiting.map((record) => record.id);
  const outcome = await outcomeFor({ dialect, writer }, id);
  const nowMs = Date.now();
  const ended = await writer
    .updateTable('transcriptions')
    .set({ ...outcome, processing_seconds: 0, credits_used: 0, progress_at_ms: nowMs, finished_at_ms: nowMs })
    .where('id', 'in', ids)
    .where('status', 'in', OPEN)
    .returning(JOINED_COLUMNS)
    .execute();
  // None: all were deleted meanwhile, and perhaps others wait.
  if (ended.length === 0) return endJoined({ dialect, writer }, id);
  await measureTexts(writer, ids);
  return ended.map(toJoined);
}

/** Returns the outcome that joined records receive from a final one. */
async function outcomeFor(
  { dialect, writer }: Pick<Connection, 'dialect' | 'writer'>,
  id: string,
): Promise<UpdateObject<Database, 'transcriptions'>> {
  const { error, finished_at_ms, ...outcome } = await writer
    .selectFrom('transcriptions')
    .select(['status', 'error', 'cache_key', 'processed_ms', 'duration_ms', 'output_language', 'backend'])
    .select('finished_at_ms')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (outcome.status === 'failed') return { status: 'failed', error };
  const ended = await writer
    .selectFrom('transcriptions')
    .select('id')
    .where('joined_to', '=', id)
    .where('work_key', 'is', null)
    .where('status', '=', 'completed')
    // The condition excludes records that had joined an earlier record with this id, which was
    // deleted.
    .where('finished_at_ms', '>', finished_at_ms)
    .limit(1)
    // The lock keeps the record until it is copied.
    .$if(dialect === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst();
  const resultOf = (source: string) =>
    writer.selectFrom('transcriptions as source').select('source.result').where('source.id', '=', source);
  // The database copies it: here it would be read and written again for each few records.
  if (ended !== undefined) return { ...outcome, result: resultOf(ended.id) };
  const { result } = await resultOf(id).executeTakeFirstOrThrow();
  return { ...outcome, result: result === null ? null : toJson(asCached(fromJson(result))) };
}
