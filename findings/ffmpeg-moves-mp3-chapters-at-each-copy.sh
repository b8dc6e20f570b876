#!/bin/sh
# Guess: copies of copies of an MP3 with chapters that FFmpeg makes (`-c copy`) keep the chapters where they are, as
# copies of M4B do.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI), the file read with mutagen 1.48.1 (PyPI): each pass moves them
# earlier by the delay of the MP3 encoder, which FFmpeg takes for the start of the file: at 16 kHz 69 ms each time, so
# after three copies a chapter at 5 s is at 4.793 s, in the middle of the word before. At 8 kHz it is 138 ms, at 44.1
# kHz 25 ms. The sound itself does not move. No warning is given.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 mutagen==1.48.1
cat > chapters.txt <<'END'
;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=5000
title=one
[CHAPTER]
TIMEBASE=1/1000
START=5000
END=10000
title=two
END
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import mutagen
from mutagen.mp4 import MP4

COPIES = 3
FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error']


def starts(path):
    if path.endswith('m4b'):
        return [round(chapter.start * 1000) for chapter in MP4(path).chapters]
    return sorted(frame.start_time for frame in mutagen.File(path).tags.getall('CHAP'))


for kind, rate in (('mp3', 8_000), ('mp3', 16_000), ('mp3', 44_100), ('m4b', 16_000)):
    tone = ['-f', 'lavfi', '-i', f'sine=duration=10:sample_rate={rate}', '-i', 'chapters.txt', '-map', '0:a', '-map_chapters', '1']
    subprocess.run([*FFMPEG, '-y', *tone, f'0.{kind}'], check=True)
    for copy in range(COPIES):
        subprocess.run([*FFMPEG, '-y', '-i', f'{copy}.{kind}', '-c', 'copy', f'{copy + 1}.{kind}'], check=True)
    print(kind, rate, [starts(f'{copy}.{kind}')[1] for copy in range(COPIES + 1)])
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
mp3 8000 [5000, 4862, 4724, 4586]
mp3 16000 [5000, 4931, 4862, 4793]
mp3 44100 [5000, 4975, 4950, 4925]
m4b 16000 [5000, 5000, 5000, 5000]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
