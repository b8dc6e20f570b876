import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteStatements } from './sqlite-statements.ts';

let folder: string;
let ours: SqliteStatements;
let theirs: Sqlite.Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-statements-'));
  theirs = new Sqlite(join(folder, 'some.db'));
  theirs.exec('create table things (id integer primary key)');
  theirs.exec('insert into things values (1), (2)');
  ours = new SqliteStatements(new Sqlite(join(folder, 'some.db')));
});
afterAll(async () => {
  ours.close();
  theirs.close();
  await rm(folder, { recursive: true, force: true });
});

test('a statement is prepared once', () => {
  expect(ours.prepare('select 1')).toBe(ours.prepare('select 1'));
});

test('a cached statement sees schema changes of another process', () => {
  const sql = 'select * from things where id = ?';
  expect(ours.prepare(sql).all([1])).toEqual([{ id: 1 }]);
  theirs.exec(`alter table things add column name text default 'new'`);
  expect(ours.prepare(sql).all([1])).toEqual([{ id: 1, name: 'new' }]);
});

test('a statement can run while its rows are still being read', () => {
  const sql = 'select id from things order by id';
  const rows = ours.prepare(sql).iterate();
  expect(rows.next().value).toEqual({ id: 1 });
  expect(ours.prepare(sql).all([])).toHaveLength(2);
  expect(rows.next().value).toEqual({ id: 2 });
  expect(rows.next().done).toBe(true);
});

test('the number of cached statements is limited', () => {
  const first = ours.prepare('select 0 as n');
  for (let n = 1; n <= 1_000; n++) ours.prepare(`select ${n} as n`);
  expect(ours.prepare('select 0 as n')).not.toBe(first);
  expect(first.all([])).toEqual([{ n: 0 }]);
});
