import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileStatement } from './compiled-statement.ts';
import type { Database } from './database-types.ts';

const database = new Kysely<Database>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) });
beforeAll(() =>
  database.schema.createTable('present_turns').addColumn('name', 'text').addColumn('turn', 'integer').execute(),
);
afterAll(() => database.destroy());

const pool = async () => Promise.reject(new Error('there is no server'));

it('is built once and runs with the values of each call, in a transaction too', async () => {
  let builds = 0;
  const insert = compileStatement((db, row: Database['present_turns']) => {
    builds += 1;
    return db.insertInto('present_turns').values(row).returning('turn');
  });
  const { rows } = await insert(database, { name: 'one', turn: 1 });
  await database.transaction().execute((transaction) => insert(transaction, { turn: 2, name: 'two' }));
  expect(rows).toEqual([{ turn: 1 }]);
  expect(await database.selectFrom('present_turns').selectAll().execute()).toEqual([
    { name: 'one', turn: 1 },
    { name: 'two', turn: 2 },
  ]);
  expect(builds).toBe(1);
});

it('uses a value several times, and keeps those of the statement itself', async () => {
  const move = compileStatement((db, { name, turn }: Database['present_turns']) =>
    db.updateTable('present_turns').set({ turn }).where('name', 'in', [name, 'never']).where('turn', '<', turn),
  );
  expect((await move(database, { name: 'one', turn: 1 })).numAffectedRows).toBe(0n);
  expect((await move(database, { name: 'one', turn: 5 })).numAffectedRows).toBe(1n);
});

it('is built in the words of each kind of database', async () => {
  const other = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const texts: string[] = [];
  const read = compileStatement((db, { name }: { name: string }) => {
    const query = db.selectFrom('present_turns').select('turn').where('name', '=', name);
    texts.push(query.compile().sql);
    return query;
  });
  await read(database, { name: 'one' });
  await expect(read(other, { name: 'one' })).rejects.toThrow('no server');
  expect(texts).toEqual([expect.stringContaining('= ?'), expect.stringContaining('= $1')]);
});
