import type { Connection, Database } from './database-types.ts';
import { shareAccount } from './lock-account.ts';
import type { IdempotencyKeyRepository, IdempotentRequest } from './repositories/idempotency-keys.ts';

/** Lifetime of a key: longer than clients keep retrying. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 3_600_000;

type Row = Database['idempotency_keys'];

/** Implements `IdempotencyKeyRepository`. */
export function createIdempotencyKeyRepository(connection: Connection): IdempotencyKeyRepository {
  const { writer } = connection;
  return {
    async find(accountId, key) {
      // By the writer, which waits until what it finds is on disk: the answer repeats a promise.
      const row = await writer
        .selectFrom('idempotency_keys')
        .innerJoin('transcriptions', (join) =>
          join
            .onRef('transcriptions.id', '=', 'idempotency_keys.transcription_id')
            .onRef('transcriptions.account_id', '=', 'idempotency_keys.account_id'),
        )
        .selectAll('idempotency_keys')
        .where('idempotency_keys.account_id', '=', accountId)
        .where('key', '=', key)
        .where('idempotency_keys.created_at_ms', '>', idempotencyKeysLiveSinceMs())
        .executeTakeFirst();
      return row === undefined ? null : toRequest(row);
    },

    async claim({ accountId, key, requestSha256, transcriptionId }) {
      await shareAccount(connection, accountId);
      const ofKey = writer.deleteFrom('idempotency_keys').where('account_id', '=', accountId).where('key', '=', key);
      // A separate statement, not a condition of the conflict below: there PostgreSQL would not see
      // the record of a request that ended while this one waited for it, and would take its key.
      await ofKey
        .where(({ eb, not, or, exists, selectFrom }) =>
          or([
            eb('created_at_ms', '<=', idempotencyKeysLiveSinceMs()),
            not(
              exists(
                selectFrom('transcriptions')
                  .select('transcriptions.id')
                  .whereRef('transcriptions.id', '=', 'idempotency_keys.transcription_id')
                  .whereRef('transcriptions.account_id', '=', 'idempotency_keys.account_id'),
              ),
            ),
          ]),
        )
        .execute();
      const row: Row = {
        account_id: accountId,
        key,
        request_sha256: requestSha256,
        transcription_id: transcriptionId,
        created_at_ms: Date.now(),
      };
      // Waits for a simultaneous request with the same key, whose row is then read below.
      await writer
        .insertInto('idempotency_keys')
        .values(row)
        .onConflict((oc) => oc.columns(['account_id', 'key']).doNothing())
        .execute();
      const holder = await writer
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      return toRequest(holder);
    },

    async deleteExpired() {
      const done = await writer
        .deleteFrom('idempotency_keys')
        .where('created_at_ms', '<=', idempotencyKeysLiveSinceMs())
        .executeTakeFirst();
      return Number(done.numDeletedRows);
    },
  };
}

/** Older keys have expired. */
export function idempotencyKeysLiveSinceMs(): number {
  return Date.now() - IDEMPOTENCY_KEY_LIFETIME_MS;
}

function toRequest(row: Row): IdempotentRequest {
  return { requestSha256: row.request_sha256, transcriptionId: row.transcription_id };
}
