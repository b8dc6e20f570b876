import type { Kysely } from 'kysely';
import type { Database } from './database-types.ts';

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
