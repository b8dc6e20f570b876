import type { Kysely } from 'kysely';
import type { ChargedRequestRepository } from './repositories/charged-requests.ts';
import type { Connection, Database } from './database-types.ts';
import { idempotencyKeysLiveSinceMs } from './idempotency-keys.ts';
import { shareAccount } from './lock-account.ts';

/** More than clients repeat a request; without a limit, one charge would buy any amount of work. */
export const MAX_REPEATS = 10;

/** Implements `ChargedRequestRepository`. */
export function createChargedRequestRepository(connection: Connection): ChargedRequestRepository {
  const { writer } = connection;
  const deleteOfKey = (accountId: string, key: string) =>
    writer.deleteFrom('charged_requests').where('account_id', '=', accountId).where('key', '=', key);
  return {
    async claim({ accountId, key, requestSha256, reservationId }) {
      await shareAccount(connection, accountId);
      // Its process seemed dead. If it returns it must not charge what this request pays for.
      await writer
        .deleteFrom('quota_reservations')
        .where('given_back', '=', 1)
        .where('request_id', 'in', (eb) =>
          eb
            .selectFrom('charged_requests')
            .select('reservation_id')
            .where('account_id', '=', accountId)
            .where('key', '=', key),
        )
        .execute();
      await deleteOfKey(accountId, key)
        .where(({ eb, and, not, or, exists, selectFrom }) => {
          const held = selectFrom('quota_reservations')
            .select('request_id')
            .whereRef('quota_reservations.request_id', '=', 'charged_requests.reservation_id');
          return or([
            eb('created_at_ms', '<=', idempotencyKeysLiveSinceMs()),
            and([eb('paid', '=', 0), not(exists(held))]),
          ]);
        })
        .execute();
      // Waits for a simultaneous request with the same key, whose row is then read below.
      await writer
        .insertInto('charged_requests')
        .values({
          account_id: accountId,
          key,
          request_sha256: requestSha256,
          reservation_id: reservationId,
          paid: 0,
          repeats: 0,
          created_at_ms: Date.now(),
        })
        .onConflict((oc) => oc.columns(['account_id', 'key']).doNothing())
        .execute();
      const holder = await writer
        .selectFrom('charged_requests')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      if (holder.reservation_id === reservationId) return 'new';
      if (holder.request_sha256 !== requestSha256) return 'different';
      if (holder.paid === 0) return 'running';
      const counted = await writer
        .updateTable('charged_requests')
        .set((eb) => ({ repeats: eb('repeats', '+', 1) }))
        .where('reservation_id', '=', holder.reservation_id)
        .where('repeats', '<', MAX_REPEATS)
        .executeTakeFirst();
      return counted.numUpdatedRows === 0n ? 'used-up' : 'paid';
    },

    async deleteExpired() {
      const done = await writer
        .deleteFrom('charged_requests')
        .where('created_at_ms', '<=', idempotencyKeysLiveSinceMs())
        .executeTakeFirst();
      return Number(done.numDeletedRows);
    },
  };
}

/** Call it in the transaction that settles the reservation. */
export async function markPaid(transaction: Kysely<Database>, reservationId: string): Promise<void> {
  await transaction
    .updateTable('charged_requests')
    .set({ paid: 1 })
    .where('reservation_id', '=', reservationId)
    .execute();
}
