import type { Kysely } from 'kysely';
import type { SpeakerRegisterRepository } from './repositories/speaker-registers.ts';
import { atomically } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { lockAccount } from './lock-account.ts';

/** A learner who comes back after this long is measured again. */
const KEPT_MS = 180 * 24 * 3_600_000;
/**
 * The most registers of one account. The ids of speakers are the client's, so it can invent any
 * number of them.
 */
const MAX_REGISTERS = 1_000;

/** Implements `SpeakerRegisterRepository`. */
export function createSpeakerRegisterRepository(connection: Connection): SpeakerRegisterRepository {
  const { writer, reader } = connection;
  return {
    async find({ accountId, speaker, language }) {
      const row = await reader
        .selectFrom('speaker_registers')
        .select(['semitones', 'deviation'])
        .where('account_id', '=', accountId)
        .where('speaker', '=', speaker)
        .where('language', '=', language)
        .executeTakeFirst();
      return row ?? null;
    },

    async save({ accountId, speaker, language }, { semitones, deviation }) {
      const row = { semitones, deviation, used_at_ms: Date.now() };
      const updated = await writer
        .updateTable('speaker_registers')
        .set(row)
        .where('account_id', '=', accountId)
        .where('speaker', '=', speaker)
        .where('language', '=', language)
        .executeTakeFirst();
      if (updated.numUpdatedRows > 0n) return;
      await atomically(connection, async (transaction) => {
        // Two new speakers at the same time would each leave the other uncounted.
        await lockAccount(transaction, accountId);
        await transaction
          .insertInto('speaker_registers')
          .values({ account_id: accountId, speaker, language, ...row })
          .onConflict((oc) => oc.columns(['account_id', 'speaker', 'language']).doUpdateSet(row))
          .execute();
        await deleteOldest(transaction, accountId);
      });
    },

    async deleteUnused(nowMs) {
      await writer
        .deleteFrom('speaker_registers')
        .where('used_at_ms', '<', nowMs - KEPT_MS)
        .execute();
    },
  };
}

/** Leaves the newest of an account. The primary key finds its rows, few enough to sort. */
async function deleteOldest(transaction: Kysely<Database>, accountId: string): Promise<void> {
  await transaction
    .deleteFrom('speaker_registers')
    .where('account_id', '=', accountId)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('speaker', 'language'),
        'not in',
        selectFrom('speaker_registers as newest')
          .select(['newest.speaker', 'newest.language'])
          .where('newest.account_id', '=', accountId)
          .orderBy('newest.used_at_ms', 'desc')
          .limit(MAX_REGISTERS)
          .$asTuple('speaker', 'language'),
      ),
    )
    .execute();
}
