#!/bin/sh
# Guess: FLAC that was written into a pipe is read like any other: its header then states no number of samples,
# which the format allows, and readers go on to the end of the file.
# Seen with soundfile 0.14.0 (libsndfile), miniaudio 1.71 and imageio-ffmpeg 0.8.1 with FFmpeg
# 9.0.2 (all PyPI): soundfile states 9,223,372,036,854,775,807 samples. `read` fails on an array of that size, and
# `blocks`, which would need none, when it seeks; `info` states a duration of 18 million years.
# Only a part that ends before the end is read. FFmpeg and miniaudio read the file. Who records or converts through
# a pipe, or cuts a stream into FLAC files, makes such files, and learns of it where they are read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 miniaudio==1.71 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import miniaudio
import numpy
import soundfile

LENGTH = 40_000
PATH = 'piped.flac'


def ffmpeg(*arguments):
    return subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', *arguments], capture_output=True, check=True).stdout


def outcome(read):
    try:
        return read()
    except Exception as error:
        return type(error).__name__


soundfile.write('sound.wav', 0.3 * numpy.sin(numpy.arange(LENGTH) / 5), 16_000)
with open(PATH, 'wb') as file:
    file.write(ffmpeg('-i', 'sound.wav', '-f', 'flac', '-'))
seen = {
    'info': soundfile.info(PATH).frames,
    'read': outcome(lambda: len(soundfile.read(PATH)[0])),
    'blocks': outcome(lambda: sum(map(len, soundfile.blocks(PATH, 4_096)))),
    'read of a part': len(soundfile.read(PATH, frames=LENGTH // 2)[0]),
    'read of as many as there are': outcome(lambda: len(soundfile.read(PATH, frames=LENGTH)[0])),
    'duration in millions of years': round(soundfile.info(PATH).duration / 86_400 / 365 / 1e6),
    'miniaudio': miniaudio.decode_file(PATH, nchannels=1, sample_rate=16_000).num_frames,
    'FFmpeg': len(ffmpeg('-i', PATH, '-f', 's16le', '-')) // 2,
}
for name, value in seen.items():
    print(f'{name}: {value}')
expected = [2 ** 63 - 1, 'ValueError', 'LibsndfileError', LENGTH // 2, 'LibsndfileError', 18, LENGTH, LENGTH]
if list(seen.values()) != expected:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
