#!/bin/sh
# Guess: FFmpeg and SoX give the silence that a VOC file stores as a block of its own, as a length without samples:
# the format of the Sound Blaster has it to save room between words.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI) and SoX 14.4.2: of half a second, a second of silence and half
# a second FFmpeg gives one second, the two sounds joined, without a warning. SoX plays the header of the next block as
# seven samples instead of the silence, and warns of a short file. soundfile 0.14.0 (PyPI) refuses the file. Everything
# behind a pause so comes early, and two sentences become one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import struct
import subprocess

import imageio_ffmpeg
import soundfile

# One byte states the rate: 1,000,000 / (256 - 131) = 8,000 a second.
RATE = 131


def block(kind, content):
    return bytes([kind]) + struct.pack('<I', len(content))[:3] + content


sound = block(1, bytes([RATE, 0]) + bytes([160]) * 4_000)
silence = block(3, struct.pack('<HB', 8_000 - 1, RATE))
with open('pause.voc', 'wb') as file:
    file.write(b'Creative Voice File\x1a' + struct.pack('<HHH', 26, 0x010A, 0x1129) + sound + silence + sound + bytes(1))


def decoded(command):
    return len(subprocess.run(command, capture_output=True, check=True).stdout)


ffmpeg = decoded([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'pause.voc', '-f', 'u8', '-'])
sox = decoded(['sox', 'pause.voc', '-t', 'u8', '-'])
try:
    soundfile.read('pause.voc')
    outcome = 'reads it'
except soundfile.LibsndfileError:
    outcome = 'refuses it'
print(f'of 16,000 samples FFmpeg gives {ffmpeg}, SoX {sox}; soundfile {outcome}')
if (ffmpeg, sox, outcome) != (8_000, 8_007, 'refuses it'):
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
