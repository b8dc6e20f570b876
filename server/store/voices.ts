import type { Kysely } from 'kysely';
import { atomically, fromJson, toJson } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { lockAccount } from './lock-account.ts';
import type { PrivateVoice, VoiceRepository } from './repositories/voices.ts';

type Row = Database['voices'];

/** Implements `VoiceRepository`. */
export function createVoiceRepository(connection: Connection): VoiceRepository {
  const { writer, reader } = connection;
  return {
    create: (voice, nameKey, limit) =>
      atomically(connection, async (transaction) => {
        await lockAccount(transaction, voice.accountId);
        if ((await count(transaction, voice.accountId)) >= limit) return false;
        await transaction.insertInto('voices').values(toRow(voice, nameKey)).execute();
        return true;
      }),

    count: (accountId) => count(reader, accountId),

    async exists(id) {
      return (await reader.selectFrom('voices').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
    },

    async find(id, accountId) {
      const row = await reader
        .selectFrom('voices')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row === undefined ? null : toVoice(row);
    },

    async findByName(nameKey, accountId) {
      const row = await ofAccount(reader, accountId).where('name_key', '=', nameKey).limit(1).executeTakeFirst();
      return row === undefined ? null : toVoice(row);
    },

    async list(accountId) {
      return (await ofAccount(reader, accountId).execute()).map(toVoice);
    },

    async saveProfile(id, profile) {
      await writer
        .updateTable('voices')
        .set({ profile: toJson(profile) })
        .where('id', '=', id)
        .execute();
    },

    async saveTranscript(id, transcript) {
      await writer.updateTable('voices').set({ transcript }).where('id', '=', id).execute();
    },

    async delete(id, accountId) {
      const done = await writer
        .deleteFrom('voices')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },
  };
}

async function count(database: Kysely<Database>, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom('voices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Selects the voices of an account, oldest first. */
function ofAccount(database: Kysely<Database>, accountId: string) {
  return database
    .selectFrom('voices')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at_ms')
    .orderBy('id');
}

function toRow(voice: PrivateVoice, nameKey: string): Row {
  return {
    id: voice.id,
    account_id: voice.accountId,
    name: voice.name,
    name_key: nameKey,
    language: voice.language,
    gender: voice.gender,
    description: voice.description,
    transcript: voice.transcript,
    engine: voice.engine,
    profile: toJson(voice.profile),
    sample_duration_ms: voice.sample.durationMs,
    sample_bytes: voice.sample.sizeBytes,
    created_at_ms: voice.createdAtMs,
    consented_at_ms: voice.consentedAtMs,
  };
}

function toVoice(row: Row): PrivateVoice {
  const { id, name, language, gender, description, transcript, engine } = row;
  return {
    id,
    accountId: row.account_id,
    name,
    language,
    gender,
    description,
    transcript,
    engine,
    profile: fromJson(row.profile),
    sample: { durationMs: row.sample_duration_ms, sizeBytes: row.sample_bytes },
    createdAtMs: row.created_at_ms,
    consentedAtMs: row.consented_at_ms,
  };
}
