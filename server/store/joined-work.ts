import type { ExpressionBuilder, Kysely } from 'kysely';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRepository } from '@jyutsing/contracts/repositories';
import type { OpenTranscription, TranscriptionStatus } from '@jyutsing/contracts/transcription';
import { atomically, type Connection, type Database } from './database-types.ts';
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

/** The part of `TranscriptionRepository` about simultaneous records of the same work. */
export function createJoinedWork(
  connection: Connection,
  toRow: (record: OpenTranscription) => NewRow,
): Pick<TranscriptionRepository, 'insertOrJoin' | 'joinedTo' | 'successorOf' | 'handOut'> {
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
      const rows = await reader
        .selectFrom('transcriptions')
        .select(['id', 'account_id', 'callback_url', 'blob_key'])
        .where('joined_to', '=', id)
        .where('work_key', 'is', null)
        .execute();
      return rows.map(({ id, account_id: accountId, callback_url: callbackUrl, blob_key: blobKey }) => {
        return { id, accountId, callbackUrl, blobKey };
      });
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
    const leads = await transaction
      .insertInto('transcriptions')
      .values({ ...record, work_key: row.cache_key })
      .onConflict((oc) => oc.columns(['account_id', 'work_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (leads !== undefined) return null;
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
    // Absent: it has ended meanwhile.
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
    // Absent: it was deleted meanwhile, too.
    if (successor !== undefined) return successor;
  }
}

/** A result has a megabyte for an hour of speech, and is copied to each. */
const ENDED_AT_ONCE = 16;

/**
 * Ends the records that joined `id` with its outcome, a few at a time, so that hundreds neither
 * keep the event loop from others nor exceed the time limit of a statement. They cost nothing and
 * took no time.
 */
export async function endJoined(transaction: Kysely<Database>, id: string, change: Partial<Row>): Promise<void> {
  for (;;) {
    const joined = await transaction
      .selectFrom('transcriptions')
      .select('id')
      .where('joined_to', '=', id)
      .where('work_key', 'is', null)
      .where('status', 'in', OPEN)
      .limit(ENDED_AT_ONCE)
      .execute();
    if (joined.length === 0) return;
    const ids = joined.map((each) => each.id);
    await transaction
      .updateTable('transcriptions')
      .set({ ...change, processing_seconds: 0, credits_used: 0 })
      .where('id', 'in', ids)
      .where('status', 'in', OPEN)
      .execute();
    await measureTexts(transaction, ids);
    await yieldToEventLoop();
  }
}
