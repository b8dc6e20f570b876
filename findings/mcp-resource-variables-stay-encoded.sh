#!/bin/sh
# Guess: a resource template of the official SDK of the Model Context Protocol gives its callback the variables
# of the URI as they were meant, as every router of URLs does: `粵語` for `notes://search/%E7%B2%B5%E8%AA%9E`.
# Seen with @modelcontextprotocol/sdk 1.32.2: they are the encoded pieces, also where the client wrote 粵語
# itself, since the URI is made into a URL before it is matched; so nothing is found under a Chinese
# name, and tests with English names pass. What `{?language}` names is required, too: without it the
# resource does not exist, though in RFC 6570 the part is then left away.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2
cat > read.js <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';

const server = new McpServer({ name: 'notes', version: '1' });
for (const template of ['notes://search/{words}', 'notes://page/{name}{?language}']) {
  const show = async ({ href }, variables) => ({ contents: [{ uri: href, text: JSON.stringify(variables) }] });
  server.registerResource(template, new ResourceTemplate(template, { list: undefined }), {}, show);
}
const client = new Client({ name: 'reads', version: '1' });
const [one, other] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(one), client.connect(other)]);
const read = (uri) =>
  client.readResource({ uri }).then(({ contents }) => contents[0].text, ({ message }) => /not found/.exec(message)?.[0]);
const seen = {};
for (const uri of ['notes://search/hello', 'notes://search/粵語', 'notes://search/%E7%B2%B5%E8%AA%9E', 'notes://page/first?language=yue', 'notes://page/first'])
  seen[uri] = await read(uri);
await client.close();
for (const [uri, text] of Object.entries(seen)) console.log(`${uri}: ${text}`);
const encoded = '{"words":"%E7%B2%B5%E8%AA%9E"}';
const expected = ['{"words":"hello"}', encoded, encoded, '{"name":"first","language":"yue"}', 'not found'];
if (Object.values(seen).join() !== expected.join()) throw new Error('behaves differently now');
END
node read.js
echo 'as described'
