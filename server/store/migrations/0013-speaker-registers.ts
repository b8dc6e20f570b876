import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The pitch of an account's learners; `speaker` is a hash of the id that the client chose. */
export const speakerRegisters: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('speaker_registers')
      .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('speaker', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('semitones', 'double precision', (c) => c.notNull())
      .addColumn('deviation', 'double precision', (c) => c.notNull())
      .addColumn('used_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('speaker_registers_key', ['account_id', 'speaker', 'language'])
      .execute();
    await db.schema.createIndex('speaker_registers_by_use').on('speaker_registers').column('used_at_ms').execute();
  },
};
