#!/bin/sh
# Guess: `gunzipSync` of fflate gives all of a gzip file of several members, such as `cat` makes of rotated
# logs, or refuses it; RFC 1952 defines a file as a series of members, and `Gunzip` of fflate reads it.
# Seen with fflate 0.8.3 (npm): `gunzipSync`, `decompressSync` and `gunzip` take the length from the end
# of the file, which is that of the last member, and fill it with the first: of 100,000 letters A and
# 50,000 B come 50,000 A, of 5 and 1,000 come the 5, and no error. `Gunzip` of the same package, zlib of
# Node and gzip of Python give everything.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts fflate@0.8.3
cat > try.js <<'END'
import { promisify } from 'node:util';
import { gunzipSync as nodeGunzip, gzipSync } from 'node:zlib';
import { decompressSync, Gunzip, gunzip, gunzipSync } from 'fflate';

const joined = (first, last) => Buffer.concat([gzipSync('A'.repeat(first)), gzipSync('B'.repeat(last))]);
const counts = (bytes) => ['A', 'B'].map((letter) => Buffer.from(bytes).filter((byte) => byte === letter.charCodeAt(0)).length);
function streamed(file) {
  const parts = [];
  new Gunzip((part) => parts.push(part)).push(file, true);
  return Buffer.concat(parts);
}
const seen = {};
for (const [first, last] of [[100_000, 50_000], [5, 1_000]]) {
  const file = joined(first, last);
  seen[`${first} A, ${last} B`] = {
    gunzipSync: counts(gunzipSync(file)),
    decompressSync: counts(decompressSync(file)),
    gunzip: counts(await promisify(gunzip)(file)),
    Gunzip: counts(streamed(file)),
    node: counts(nodeGunzip(file)),
  };
}
for (const [file, results] of Object.entries(seen)) console.log(`${file}:`, JSON.stringify(results));
const [cut, whole] = [[50_000, 0], [100_000, 50_000]].map(String);
const [short, all] = [[5, 0], [5, 1_000]].map(String);
const expected = [cut, cut, cut, whole, whole, short, short, short, all, all];
if (Object.values(seen).flatMap((results) => Object.values(results).map(String)).join(' ') !== expected.join(' '))
  throw new Error('behaves differently now');
END
node try.js
echo 'as described'
