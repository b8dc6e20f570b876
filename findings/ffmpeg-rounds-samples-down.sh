#!/bin/sh
# Guess: where FFmpeg and soundfile write whole samples with fewer bits, they round to the nearest value, so that a
# last bit of noise around silence becomes silence.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2, and soundfile 0.14.0 (PyPI): both cut the lower
# bits off, so each value is half a step too low in the mean: 32 bits to 16 and 16 to 8 alike. Of samples of -1, 0 and 1
# in 16 bits, a hiss of -92 dB, 8 bits make a noise of -49 dB around a constant offset. From floating point FFmpeg rounds, so
# the same sound is silent if it has passed through `aformat=flt` first. A threshold for silence that fits the
# original finds none in the copy.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 soundfile==0.14.0 numpy==2.4.6
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import numpy
import soundfile

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']
CHANCE = numpy.random.default_rng(1)


def by_ffmpeg(samples, source, target, *options):
    formats = ['-f', source, '-ar', '16000', '-ac', '1', '-i', '-', *options, '-f', target, '-']
    return subprocess.run([*FFMPEG, *formats], input=samples.tobytes(), capture_output=True, check=True).stdout


def level(samples):
    """In dB of full scale, without a constant offset; -inf is silence."""
    with numpy.errstate(divide='ignore'):
        return round(20 * float(numpy.log10(numpy.std(samples))))


def describe(name, samples):
    print(f'{name}: offset {float(numpy.mean(samples)):.4f}, noise {level(samples)} dB' if numpy.std(samples) else f'{name}: silence')


hiss = CHANCE.integers(-1, 2, 160_000).astype('<i2')
describe('16 bits', hiss / 2 ** 15)
in_bytes = by_ffmpeg(hiss, 's16le', 'u8')
describe('FFmpeg, 8 bits', numpy.frombuffer(in_bytes, 'u1') / 128.0 - 1)
through_float = by_ffmpeg(hiss, 's16le', 'u8', '-af', 'aformat=sample_fmts=flt')
describe('FFmpeg, 8 bits, from floating point', numpy.frombuffer(through_float, 'u1') / 128.0 - 1)
soundfile.write('hiss.wav', hiss, 16_000, subtype='PCM_U8')
describe('soundfile, 8 bits', soundfile.read('hiss.wav')[0])
wide = CHANCE.integers(-2 ** 31, 2 ** 31, 160_000).astype('<i4')
narrow = numpy.frombuffer(by_ffmpeg(wide, 's32le', 's16le'), '<i2')
print(f'FFmpeg, 32 to 16 bits: {numpy.mean(narrow - wide / 2 ** 16):.1f} steps in the mean')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
16 bits: offset -0.0000, noise -92 dB
FFmpeg, 8 bits: offset -0.0026, noise -49 dB
FFmpeg, 8 bits, from floating point: silence
soundfile, 8 bits: offset -0.0026, noise -49 dB
FFmpeg, 32 to 16 bits: -0.5 steps in the mean
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
