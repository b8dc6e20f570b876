#!/bin/sh
# Guess: a lossless recording that FFmpeg writes and reads again has as many samples as before, in CAF, the
# container of Apple's recorders, as in M4A.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2, and soundfile 0.14.0 (libsndfile): of 16,000
# samples of ALAC in CAF it reads 15,616, whoever wrote them, and says nothing. The file states that 384
# samples of the last packet are padding; the decoder gives that packet without them, and as many are then
# taken off what is meant. Of 20,000 samples 19,520 are left; up to half a packet can go, 0.13 s at 16 kHz.
# Only a packet that has fewer samples than its padding stays whole (12,800). Of 16,384, whole packets,
# libsndfile's file loses the last. M4A keeps all, and libsndfile reads all of its own. What is cut is the
# end of the last word of a recording that people keep in a lossless format to lose nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 soundfile==0.14.0
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import numpy
import soundfile

RATE_HZ = 16_000
PACKET = 4_096


def ffmpeg(*options):
    return subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *options], capture_output=True, check=True)


def read(path):
    return len(ffmpeg('-i', path, '-f', 's16le', '-').stdout) // 2


seen = {}
for written in (16_000, 20_000, 12_800, 4 * PACKET):
    sound = 0.3 * numpy.sin(numpy.arange(written) / 5)
    soundfile.write('sound.wav', sound, RATE_HZ)
    for ending in ('caf', 'm4a'):
        ffmpeg('-i', 'sound.wav', '-c:a', 'alac', f'ffmpeg.{ending}')
    soundfile.write('sndfile.caf', sound, RATE_HZ, subtype='ALAC_16', format='CAF')
    seen[written] = (read('ffmpeg.m4a'), read('ffmpeg.caf'), read('sndfile.caf'), len(soundfile.read('sndfile.caf')[0]))
for written, (m4a, caf, of_sndfile, by_sndfile) in seen.items():
    print(f'{written} samples: FFmpeg reads {m4a} of M4A, {caf} of its CAF, {of_sndfile} of that of libsndfile, which reads {by_sndfile}')
for written, (m4a, caf, of_sndfile, by_sndfile) in seen.items():
    padding = -written % PACKET
    lost = padding if padding <= PACKET // 2 else 0
    if (m4a, by_sndfile, caf) != (written, written, written - lost):
        raise SystemExit('behaves differently now')
    if of_sndfile != written - (lost if padding else PACKET):
        raise SystemExit('the file of libsndfile is read differently now')
END
python/bin/python try.py
echo 'as described'
