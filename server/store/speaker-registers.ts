import type { SpeakerRegisterRepository } from '@jyutsing/contracts/repositories';
import type { Connection } from './database-types.ts';

/** A learner who comes back after this long is measured again. */
const KEPT_MS = 180 * 24 * 3_600_000;

/** Implements `SpeakerRegisterRepository`. */
export function createSpeakerRegisterRepository({ writer, reader }: Connection): SpeakerRegisterRepository {
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
      await writer
        .insertInto('speaker_registers')
        .values({ account_id: accountId, speaker, language, ...row })
        .onConflict((oc) => oc.columns(['account_id', 'speaker', 'language']).doUpdateSet(row))
        .execute();
    },

    async deleteUnused(nowMs) {
      await writer
        .deleteFrom('speaker_registers')
        .where('used_at_ms', '<', nowMs - KEPT_MS)
        .execute();
    },
  };
}
