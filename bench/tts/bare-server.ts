// The bare engine behind a bare HTTP server: `bare-server.ts <profile file>`. Answers a POST of
// `{ text }` with its sound (16-bit samples) as the model makes it, and prints its URL.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import { openBareSynthesis } from './bare-synthesis.ts';

const [voicePath = ''] = process.argv.slice(2);
const speak = await openBareSynthesis(voicePath);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { text } = JSON.parse(await textOf(request)) as { text: string };
  for await (const samples of speak(text)) {
    const sound = new Int16Array(samples.length);
    toInt16(samples, sound, 0);
    if (!response.write(Buffer.from(sound.buffer))) await once(response, 'drain');
  }
  response.end();
}

const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
