#!/bin/sh
# Guess: a server made with the official SDK of the Model Context Protocol ends a tool when the client
# sends `notifications/cancelled` for it, whatever the id of the request is: numbers from 0 on and texts.
# Seen with @modelcontextprotocol/sdk 1.32.2: a request with the id 0 is not cancelled, and its tool works
# to the end; 1 and "0" are cancelled. JSON-RPC allows 0, and clients that count from it send their first
# call so, unless `initialize` takes the number. A long transcription that such a client gives up is made
# and paid all the same.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2
cat > cancel.js <<'END'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';

/** A promise with the function that fulfils it. */
function later() {
  let resolve;
  return { promise: new Promise((fulfil) => (resolve = fulfil)), resolve: () => resolve() };
}

/** Calls a tool under an id, cancels it, and tells whether the tool noticed. */
async function isCancelled(id) {
  const server = new McpServer({ name: 'waits', version: '1' });
  let cancelled = false;
  const called = later();
  server.registerTool('wait', { description: 'Waits' }, async ({ signal }) => {
    called.resolve();
    signal.addEventListener('abort', () => (cancelled = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { content: [] };
  });
  const [client, end] = InMemoryTransport.createLinkedPair();
  const answered = later();
  client.onmessage = (message) => message.id === 'hello' && answered.resolve();
  await server.connect(end);
  await client.start();
  const send = (message) => client.send({ jsonrpc: '2.0', ...message });
  await send({
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'counts', version: '1' } },
  });
  await answered.promise;
  await send({ method: 'notifications/initialized' });
  await send({ id, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  await called.promise;
  await send({ method: 'notifications/cancelled', params: { requestId: id } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const seen = cancelled;
  await server.close();
  return seen;
}

for (const id of [0, 1, '0']) console.log(JSON.stringify(id), await isCancelled(id));
END
seen=$(node cancel.js | tr '\n' ';')
echo "id, whether its tool was cancelled: $seen"
[ "$seen" = '0 false;1 true;"0" true;' ] || { echo 'behaves differently now'; exit 1; }
echo 'as described'
