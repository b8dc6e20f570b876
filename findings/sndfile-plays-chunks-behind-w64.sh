#!/bin/sh
# Guess: soundfile reads from W64, the WAV of Sony for files over 4 GB, the samples of its chunk of sound, also where
# another chunk stands behind it, as markers and summaries do.
# Seen with soundfile 0.14.0 (PyPI) and SoX of the machine, which both use libsndfile: they play the chunks behind the
# sound, with their headers, as samples: a second of PCM with a chunk of 160 bytes behind it has 92 samples more. A
# chunk before the sound does no harm, and FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI) gives 8,000 samples. A long
# recording so ends with a crack, at any volume, and lasts longer than the captions that were made for it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import struct
import subprocess
import uuid

import imageio_ffmpeg
import soundfile

RIFF = uuid.UUID('66666972-912e-11cf-a5d6-28db04c10000')


def chunk(name, content):
    kind = uuid.UUID(f'{name[::-1].encode().hex()}-acf3-11d3-8cd1-00c04f8edb8a')
    return kind.bytes_le + struct.pack('<Q', 24 + len(content)) + content + bytes(-len(content) % 8)


def write(before, behind):
    wave = uuid.UUID('65766177-acf3-11d3-8cd1-00c04f8edb8a').bytes_le
    layout = chunk('fmt ', struct.pack('<HHIIHH', 1, 1, 8_000, 16_000, 2, 16))
    body = wave + layout + before + chunk('data', bytes(16_000)) + behind
    with open('sound.w64', 'wb') as file:
        file.write(RIFF.bytes_le + struct.pack('<Q', 24 + len(body)) + body)


def decoded(command):
    return len(subprocess.run(command, capture_output=True, check=True).stdout) // 2


notes = chunk('junk', b'.' * 160)
for before, behind, expected in ((b'', b'', 8_000), (notes, b'', 8_000), (b'', notes, 8_092)):
    write(before, behind)
    lengths = (
        len(soundfile.read('sound.w64')[0]),
        decoded(['sox', 'sound.w64', '-t', 'raw', '-']),
        decoded([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'sound.w64', '-f', 's16le', '-']),
    )
    print(f'{len(before)} bytes before the sound, {len(behind)} behind it: soundfile, SoX and FFmpeg read {lengths}')
    if lengths != (expected, expected, 8_000):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
