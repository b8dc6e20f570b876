#!/bin/sh
# Guess: FFmpeg decodes an AMR file to twenty milliseconds of sound for each frame, also where a phone has marked a pause,
# as phones and calls do to save power.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: its own decoder, which is the usual one, gives
# nothing for the frames of a pause. A recording of 14 s with a pause of 10 s becomes 4.2 s, so all that is
# said afterwards comes nearly ten seconds early, and the command fails only because more than two thirds of the frames
# had no sound; with a pause of 4 s it succeeds. The decoder libopencore_amrnb, which the same program has, gives all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 numpy==2.4.6
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import numpy

RATE = 8_000
CHANCE = numpy.random.default_rng(1)


def ffmpeg(*options, sound=None):
    return subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *options], input=sound, capture_output=True)


def voice(seconds):
    tone = 0.3 * numpy.sin(numpy.arange(seconds * RATE) * 2 * numpy.pi * 300 / RATE)
    return tone + 0.05 * CHANCE.standard_normal(seconds * RATE)


for pause in (4, 10):
    quiet = 1e-5 * CHANCE.standard_normal(pause * RATE)
    sound = numpy.concatenate([voice(2), quiet, voice(2)]).astype('f4').tobytes()
    source = ['-f', 'f32le', '-ar', str(RATE), '-ac', '1', '-i', '-']
    ffmpeg(*source, '-c:a', 'libopencore_amrnb', '-b:a', '12.2k', '-dtx', '1', 'call.amr', sound=sound)
    for decoder in ('amrnb', 'libopencore_amrnb'):
        result = ffmpeg('-c:a', decoder, '-i', 'call.amr', '-f', 'f32le', '-')
        status = 'fails' if result.returncode else 'succeeds'
        print(f'{4 + pause} s by {decoder}: {len(result.stdout) / 4 / RATE:.1f} s, {status}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
8 s by amrnb: 4.2 s, succeeds
8 s by libopencore_amrnb: 8.0 s, succeeds
14 s by amrnb: 4.2 s, fails
14 s by libopencore_amrnb: 14.0 s, succeeds
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
