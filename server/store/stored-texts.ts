import { sql, type Kysely } from 'kysely';
import { AppError } from '@jyutsing/contracts/errors';
import type { StoredTextRepository } from './repositories/stored-texts.ts';
import { compileStatement } from './compiled-statement.ts';
import { atomically, type Connection, type Database } from './database-types.ts';

/**
 * The bytes that a transcription or a corpus counts beside its large texts, for the other columns
 * and indexes. No number of records with little or no text fills the database either.
 */
const BASE_BYTES = 1_000;
/**
 * The bytes that a transcription counts for each 10 ms of its recording until it is done: about a
 * megabyte an hour, as transcripts have. Otherwise thousands of requests for the same recording
 * could be accepted while it is recognized, and each stores the text in the end.
 */
const EXPECTED_BYTES_PER_10_MS = 3;
/** At least, because a file may declare less sound than it has. */
const MIN_EXPECTED_BYTES = 100_000;

/** Implements `StoredTextRepository`. */
export function createStoredTextRepository(connection: Connection): StoredTextRepository {
  return {
    bytes: (accountId) => storedBytes(connection.reader, accountId),
    within: (accountId, limitBytes, write) => withinStoredText(connection, accountId, limitBytes, () => write()),
  };
}

/** Implements `StoredTextRepository.within`; `write` gets the transaction. */
export function withinStoredText<T>(
  connection: Connection,
  accountId: string,
  limitBytes: number | null,
  write: (transaction: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return atomically(connection, async (transaction) => {
    if (limitBytes === null) return write(transaction);
    // Without a lock: `write` may wait for the end of the work that it joins, and meanwhile all
    // other writes of the account would wait with their connections.
    const bytesBefore = await storedBytes(transaction, accountId);
    const written = await write(transaction);
    const bytes = await storedBytes(transaction, accountId);
    if (bytes > limitBytes && bytes > bytesBefore) {
      throw new AppError(
        'storage_exceeded',
        'The plan stores no more text for this account; delete transcriptions or word lists that are not needed.',
      );
    }
    return written;
  });
}

/**
 * Writes how much records store, after they were inserted or their texts changed. The database
 * knows the length of a value without reading it.
 */
export async function measureTexts(transaction: Kysely<Database>, ids: readonly string[]): Promise<void> {
  for (const id of ids) await measureText(transaction, { id });
}

const measureText = compileStatement((database, { id }: { id: string }) => {
  const expected = sql`duration_ms * ${sql.lit(EXPECTED_BYTES_PER_10_MS)} / 10`;
  const atLeast = sql.lit(MIN_EXPECTED_BYTES);
  const statement = sql`insert into stored_texts (transcription_id, account_id, bytes)
    select id, account_id,
      ${sql.lit(BASE_BYTES)} + octet_length(options) + coalesce(octet_length(result), 0) + coalesce(octet_length(edit), 0)
        + case when status not in ('pending', 'processing') then 0
            when ${expected} > ${atLeast} then ${expected} else ${atLeast} end
    from transcriptions
    where id = ${id}
    on conflict (transcription_id) do update set bytes = excluded.bytes`;
  return { compile: () => statement.compile(database) };
});

async function storedBytes(database: Kysely<Database>, accountId: string): Promise<number> {
  // A total, not a sum over the records: that of a million stops the event loop on SQLite.
  const records = await database
    .selectFrom('stored_text_totals')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  // At most a hundred.
  const corpora = await database
    .selectFrom('corpora')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | string | null>(fn<number>('octet_length', ['entries'])).as('bytes'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(records.bytes ?? 0) + Number(corpora.bytes ?? 0) + BASE_BYTES * corpora.count;
}
