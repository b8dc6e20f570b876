#!/bin/sh
# Guess: FFmpeg reads the times of RealText captions, such as begin="1.5", as seconds with a fraction.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): it takes the digits behind the point as a number of hundredths.
# 1.5 s is 1.05 s, 1.25 s is right, and 1.250 s is 3.5 s, because 250 hundredths are two and a half seconds. No warning
# is given. A caption so stands up to nine seconds late, by how many digits its writer used.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg

for begin in ('1.25', '1.5', '1.250', '1.999'):
    with open('captions.rt', 'w', encoding='utf-8') as file:
        file.write(f'<window type="generic" duration="0:30"><time begin="{begin}" end="20.00"/><clear/>早晨\n</window>\n')
    command = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'warning', '-i', 'captions.rt', '-f', 'srt', '-']
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    lines = done.stdout.splitlines()
    time = next(before for before, line in zip(lines, lines[1:]) if line.startswith('早晨'))
    print(begin, time, 'a warning' if done.stderr else 'no warning')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
1.25 00:00:01,250 --> 00:00:20,000 no warning
1.5 00:00:01,050 --> 00:00:20,000 no warning
1.250 00:00:03,500 --> 00:00:20,000 no warning
1.999 00:00:10,990 --> 00:00:20,000 no warning
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
