import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteStatements } from './sqlite-statements.ts';

let folder: string;
let statements: SqliteStatements;
let database: Sqlite.Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-statements-'));
  database = new Sqlite(join(folder, 'some.db'));
  database.exec('create table things (id integer primary key)');
  database.exec('insert into things values (1), (2)');
  statements = new SqliteStatements(new Sqlite(join(folder, 'some.db')));
});
afterAll(async () => {
  statements.close();
  database.close();
  await rm(folder, { recursive: true, force: true });
});

test('a statement is prepared once', () => {
  expect(statements.prepare('select 1')).toBe(statements.prepare('select 1'));
});

test('a cached statement sees schema changes of another process', () => {
  const sql = 'select * from things where id = ?';
  expect(statements.prepare(sql).all([1])).toEqual([{ id: 1 }]);
  database.exec(`alter table things add column name text default 'new'`);
  expect(statements.prepare(sql).all([1])).toEqual([{ id: 1, name: 'new' }]);
});

test('a statement can run while its rows are still being read', () => {
  const sql = 'select id from things order by id';
  const rows = statements.prepare(sql).iterate();
  expect(rows.next().value).toEqual({ id: 1 });
  expect(statements.prepare(sql).all([])).toHaveLength(2);
  expect(rows.next().value).toEqual({ id: 2 });
  expect(rows.next().done).toBe(true);
});

test('the number of cached statements is limited', () => {
  const first = statements.prepare('select 0 as n');
  for (let n = 1; n <= 1_000; n++) statements.prepare(`select ${n} as n`);
  expect(statements.prepare('select 0 as n')).not.toBe(first);
  expect(first.all([])).toEqual([{ n: 0 }]);
});
