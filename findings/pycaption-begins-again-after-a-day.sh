#!/bin/sh
# Guess: pycaption writes a caption at 25 hours as `25:00:02.500`, and one at a hundred hours with three digits, as
# WebVTT and TTML demand: it reads both right.
# Seen with pycaption 2.3.14 (PyPI): WebVTT, SubRip and TTML begin again after each 24 hours: 25:00:02.500
# becomes 01:00:02.500 and 100 hours 04:00:02.500, and no error. The captions of the second day of a
# stream so lie over those of the first. SAMI, which counts milliseconds, has the right ones. srt 3.5.3
# (PyPI) and FFmpeg 9.0.2, which imageio-ffmpeg 0.8.1 brings, write all hours.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pycaption==2.3.14 srt==3.5.3 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import re
import subprocess

import imageio_ffmpeg
import pycaption
import srt

FILE = '1\n25:00:02,500 --> 25:00:03,000\nday\n\n2\n100:00:02,500 --> 100:00:03,000\nlate\n'
captions = pycaption.SRTReader().read(FILE)
writers = {'SubRip': pycaption.SRTWriter, 'WebVTT': pycaption.WebVTTWriter, 'TTML': pycaption.DFXPWriter, 'SAMI': pycaption.SAMIWriter}
seen = {'read': [caption.start / 3_600_000_000 for caption in captions.get_captions('en-US')]}
for name, writer in writers.items():
    seen[name] = re.findall(r'\d+:00:02[,.]500|start="(?!0)\d+2500"', writer().write(captions))
seen['srt'] = re.findall(r'\d+:00:02,500', srt.compose(srt.parse(FILE)))
with open('late.srt', 'w') as file:
    file.write(FILE)
command = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'late.srt', '-f', 'webvtt', '-']
seen['FFmpeg'] = re.findall(r'\d+:00:02\.500', subprocess.run(command, capture_output=True, text=True, check=True).stdout)
for name, times in seen.items():
    print(f'{name}: {times}')
expected = [
    [25.0006944, 100.0006944],
    ['01:00:02,500', '04:00:02,500'],
    ['01:00:02.500', '04:00:02.500'],
    ['01:00:02.500', '04:00:02.500'],
    ['start="90002500"', 'start="360002500"'],
    ['25:00:02,500', '100:00:02,500'],
    ['25:00:02.500', '100:00:02.500'],
]
seen['read'] = [round(hours, 7) for hours in seen['read']]
if list(seen.values()) != expected:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
