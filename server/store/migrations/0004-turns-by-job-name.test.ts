import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { expect, it } from 'vitest';
import { jobs } from './0002-jobs.ts';
import { turnsByJobName } from './0004-job-order-by-name.ts';

it('the migration keeps the order of the accounts', async () => {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) });
  await jobs.up(db);
  await sql`update present_turn set turn = 7`.execute(db);
  await sql`insert into account_turns values ('greedy', 107), ('modest', 7)`.execute(db);
  await turnsByJobName.up(db);
  const present = await sql`select * from present_turns`.execute(db);
  const turns = await sql`select * from job_turns order by turn`.execute(db);
  await db.destroy();
  expect(present.rows).toEqual([{ name: 'transcribe', turn: 7 }]);
  expect(turns.rows).toEqual([
    { name: 'transcribe', account_id: 'modest', turn: 7 },
    { name: 'transcribe', account_id: 'greedy', turn: 107 },
  ]);
});
