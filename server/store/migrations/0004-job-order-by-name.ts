import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * DeadlineScheduler count for each job name apart: a delivery of an account with a hundred waiting recordings has a turn after all of them, and
 * if that moved the one present turn, every newcomer would begin behind those recordings too.
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
    // All jobs until now were transcriptions.
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
