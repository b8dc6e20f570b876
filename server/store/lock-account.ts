import type { Kysely } from 'kysely';
import type { Connection, Database } from './database-types.ts';

/**
 * Locks the row of the account; the update changes nothing. A simultaneous call then waits for the
 * end of this transaction: otherwise both would count before either inserts.
 */
export async function lockAccount(transaction: Kysely<Database>, accountId: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ plan: eb.ref('plan') }))
    .where('id', '=', accountId)
    .execute();
}

/**
 * In PostgreSQL, locks the row of the account as a new row of the account will: against its
 * deletion, which takes the account before all else. Call before other rows of it are changed.
 */
export async function shareAccount({ dialect, writer }: Pick<Connection, 'dialect' | 'writer'>, accountId: string) {
  if (dialect !== 'postgres') return;
  await writer.selectFrom('accounts').select('id').where('id', '=', accountId).forKeyShare().execute();
}
