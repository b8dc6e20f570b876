import type { TranscriptionRepository } from './repositories/transcriptions.ts';
import { atomically, type Connection } from './database-types.ts';
import { rememberDeleted } from './deleted-transcriptions.ts';
import { OPEN } from './joined-work.ts';

type Which = Parameters<TranscriptionRepository['deleteFinished']>[0];

/** Few enough for the time that a statement has. */
const RECORDS_AT_ONCE = 500;
/**
 * SQLite overwrites deleted texts, and the event loop waits: about 10 ms for a megabyte. A record
 * with more is deleted alone.
 */
const BYTES_AT_ONCE = 4_000_000;

/** Implements `TranscriptionRepository.deleteFinished`. */
export function deleteFinished(connection: Connection, which: Which): Promise<{ blobKey: string | null }[]> {
  return atomically(connection, async (transaction) => {
    const ids = takePart(await findOldest({ ...connection, writer: transaction }, which).execute());
    if (ids.length === 0) return [];
    const rows = await transaction.deleteFrom('transcriptions').where('id', 'in', ids).returning('blob_key').execute();
    await rememberDeleted(transaction, ids);
    return rows.map((row) => ({ blobKey: row.blob_key }));
  });
}

type Sized = { id: string; bytes: number | null };

/** The oldest first. On SQLite, where the event loop waits, it reads by an index in that order. */
export function findOldest({ dialect, writer }: Pick<Connection, 'dialect' | 'writer'>, which: Which) {
  return (
    writer
      .selectFrom('transcriptions')
      .leftJoin('stored_texts', 'stored_texts.transcription_id', 'transcriptions.id')
      .select(['transcriptions.id', 'stored_texts.bytes'])
      .where((eb) =>
        'accountId' in which
          ? eb('transcriptions.account_id', '=', which.accountId).and('status', 'in', ['completed', 'failed'])
          : // Only finished records have an end. Asked for their status, SQLite would read all.
            eb('finished_at_ms', '<', which.beforeMs),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('transcriptions as joined')
              .select('joined.id')
              .whereRef('joined.joined_to', '=', 'transcriptions.id')
              .where('joined.work_key', 'is', null)
              .where('joined.status', 'in', OPEN),
          ),
        ),
      )
      .orderBy('accountId' in which ? 'created_at_ms' : 'finished_at_ms')
      .limit(RECORDS_AT_ONCE)
      // Those of an account that is being deleted go with it; both would wait for each other.
      .$if(dialect === 'postgres', (query) => query.forUpdate('transcriptions').skipLocked())
  );
}

/** The first of them that are small enough together. */
function takePart(records: readonly Sized[]): string[] {
  let bytes = 0;
  const tooMany = records.findIndex((record, index) => {
    bytes += record.bytes ?? 0;
    return bytes > BYTES_AT_ONCE && index > 0;
  });
  return records.slice(0, tooMany === -1 ? undefined : tooMany).map(({ id }) => id);
}
