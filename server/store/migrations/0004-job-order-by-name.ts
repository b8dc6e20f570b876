import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Separates the fair order by job name. A delivery of an account with a hundred waiting
 * transcriptions is positioned after them; with a common position, new accounts would then start
 * behind them too.
 */
export const turnsByJobName: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('job_turns')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('turn', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('job_turns_key', ['name', 'account_id'])
      .execute();
    await db.schema
      .createTable('present_turns')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('turn', 'bigint', (c) => c.notNull())
      .execute();
    // All earlier jobs are transcriptions.
    await sql`insert into job_turns (name, account_id, turn) select 'transcribe', account_id, turn from account_turns`.execute(
      db,
    );
    await sql`insert into present_turns (name, turn) select 'transcribe', turn from present_turn`.execute(db);
    await db.schema.dropTable('account_turns').execute();
    await db.schema.dropTable('present_turn').execute();
    await db.schema.dropIndex('jobs_by_turn').execute();
    await db.schema.createIndex('jobs_by_turn').on('jobs').columns(['state', 'name', 'turn', 'id']).execute();
  },
};
