#!/bin/sh
# Guess: FFmpeg reads the two ways in which broadcast captions (SCC) count frames as what they are: 01:00:00;00, with
# dropped numbers, is an hour; 01:00:00:00, which counts the 29.97 frames of a second as if they were 30, is 3.6 s
# more.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2, and pycaption 2.3.14 (PyPI): FFmpeg gives an hour
# for both, without a message. pycaption has 3.6 s between them (and adds 0.23 s, in which a caption arrives).
# Captions of a programme in the second way run ahead of its speech, by 1 s each 17 minutes, and a comparison of
# them with what a recognizer heard shows an error that grows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 pycaption==2.3.14
cat > try.py <<'END'
import re
import subprocess
import imageio_ffmpeg
from pycaption import SCCReader

HELLO = '9420 9420 9470 9470 c8e5 ecec ef80 942f 942f'
CLEAR = '942c 942c'


def starts(separator):
    text = f'Scenarist_SCC V1.0\n\n01:00:00{separator}00\t{HELLO}\n\n01:00:02{separator}00\t{CLEAR}\n'
    with open('captions.scc', 'w') as file:
        file.write(text)
    run = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'warning', '-i', 'captions.scc', '-f', 'srt', '-']
    read = subprocess.run(run, capture_output=True, check=True, text=True)
    hours, minutes, seconds, milliseconds = map(int, re.search(r'(\d+):(\d+):(\d+),(\d+) -->', read.stdout).groups())
    by_pycaption = SCCReader().read(text).get_captions('en-US')[0].start / 1e6
    return hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000, round(by_pycaption, 2), read.stderr


seen = {separator: starts(separator) for separator in ';:'}
for separator, (by_ffmpeg, by_pycaption, messages) in seen.items():
    print(f'01:00:00{separator}00: FFmpeg {by_ffmpeg} s, pycaption {by_pycaption} s, messages "{messages.strip()}"')
if seen != {';': (3600.0, 3600.23, ''), ':': (3600.0, 3603.83, '')}:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
