#!/bin/sh
# Guess: a WMA file that FFmpeg writes and reads again begins where the recording began, as the same sound in
# Matroska does.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: the first 2,048 samples of 48 and 44.1 kHz are
# missing, 1,024 of 22 kHz, 512 of 16 and 8 kHz: one frame of the codec, 32 to 64 ms. All that follows is as much
# early. In Matroska the packets of the same encoder lose nothing. No message tells. A first syllable goes so, in
# the format of many dictation recorders, and captions made of the WMA file are early in the original.
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


def ffmpeg(*options, sound=None):
    run = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *options]
    return subprocess.run(run, input=sound, capture_output=True, check=True).stdout


def missing(codec, ending, rate):
    """The number of samples by which a piece of the file is earlier than in the recording."""
    sound = 0.1 * numpy.random.default_rng(1).standard_normal(2 * rate).astype('f4')
    source = ['-f', 'f32le', '-ar', str(rate), '-ac', '1', '-i', '-']
    ffmpeg(*source, '-c:a', codec, '-b:a', '128k' if rate > 40_000 else '48k', f'file.{ending}', sound=sound.tobytes())
    read = numpy.frombuffer(ffmpeg('-i', f'file.{ending}', '-f', 'f32le', '-'), 'f4')
    piece = read[rate // 2:rate // 2 + 4_000]
    return int(numpy.correlate(sound, piece, 'valid').argmax()) - rate // 2


usual = {48_000: 2_048, 44_100: 2_048, 22_050: 1_024, 16_000: 512, 8_000: 512}
for codec in ('wmav1', 'wmav2'):
    for rate, expected in usual.items():
        lost = missing(codec, 'wma', rate)
        print(f'{codec}, {rate} Hz: {lost} samples lost, {round(1_000 * lost / rate)} ms')
        if lost != expected or missing(codec, 'mka', rate) != 0:
            raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
