import type { Kysely } from 'kysely';
import { compileStatement } from './compiled-statement.ts';
import type { Database } from './database-types.ts';

/**
 * Clients choose ids, so one could be used again after a deletion; but an Idempotency-Key, a job
 * that still runs and the readers of its events know the deleted record by its id. Longer than any
 * of these last.
 */
const REMEMBERED_MS = 48 * 3_600_000;

export async function rememberDeleted(database: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await database
    .insertInto('deleted_transcriptions')
    .values(ids.map((id) => ({ id, deleted_at_ms: Date.now() })))
    .onConflict((oc) => oc.column('id').doNothing())
    .execute();
}

/** Call before all records of an account are deleted. */
export async function rememberDeletedOf(database: Kysely<Database>, accountId: string): Promise<void> {
  await database
    .insertInto('deleted_transcriptions')
    .columns(['id', 'deleted_at_ms'])
    .expression((eb) =>
      eb
        .selectFrom('transcriptions')
        .select(({ val }) => ['id', val(Date.now()).as('deleted_at_ms')])
        .where('account_id', '=', accountId),
    )
    .onConflict((oc) => oc.column('id').doNothing())
    .execute();
}

const deletedAfter = compileStatement((database, { id, afterMs }: { id: string; afterMs: number }) =>
  database.selectFrom('deleted_transcriptions').select('id').where('id', '=', id).where('deleted_at_ms', '>', afterMs),
);

export async function wasDeleted(database: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await deletedAfter(database, { id, afterMs: Date.now() - REMEMBERED_MS });
  return rows.length > 0;
}

/** Deletes at most `limit` of the ids that are old enough; returns the number. */
export async function forgetDeleted(database: Kysely<Database>, limit: number): Promise<number> {
  const oldest = database
    .selectFrom('deleted_transcriptions')
    .select('id')
    .where('deleted_at_ms', '<=', Date.now() - REMEMBERED_MS)
    .limit(limit);
  const done = await database.deleteFrom('deleted_transcriptions').where('id', 'in', oldest).executeTakeFirst();
  return Number(done.numDeletedRows);
}
