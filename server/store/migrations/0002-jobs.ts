import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tables of the queue: embedded jobs, claims, fair order and living workers. */
export const jobs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createJobs(db);
    await createTurns(db);
    await db.schema
      .createTable('workers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('pid', 'bigint', (c) => c.notNull())
      .addColumn('beat_at_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('turn', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('run_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('worker_id', 'text')
    .execute();
  await db.schema.createIndex('jobs_by_turn').on('jobs').columns(['state', 'turn', 'id']).execute();
  await db.schema
    .createTable('job_claims')
    .addColumn('job_id', 'text', (c) => c.primaryKey())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('worker_id', 'text', (c) => c.notNull())
    .execute();
}

async function createTurns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_turns')
    .addColumn('account_id', 'text', (c) => c.primaryKey())
    .addColumn('turn', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('present_turn')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('turn', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into present_turn (id, turn) values (1, 0)`.execute(db);
}
