#!/bin/sh
# Guess: FFmpeg reads the times of Spruce STL, the captions of DVD authoring, as hours, minutes, seconds and frames, and
# the marks ^I, ^B and ^U as italic, bold and underlined.
# Seen with FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): it takes the frames as hundredths of a second: 00:00:01:24, the
# last frame before two seconds at 25 a second, is 1.240 s, 0.72 s too early. The error changes from caption to caption,
# so shifting does not mend it. The marks stay in the text. No warning is given.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > captions.stl <<'END'
//Font select and font size
$FontName   = Arial
$FontSize   = 30

00:00:01:00 , 00:00:01:24 , first
00:00:02:12 , 00:00:03:24 , ^Isecond^I|line
END
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg

command = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'warning', '-i', 'captions.stl', '-f', 'srt', '-']
done = subprocess.run(command, capture_output=True, check=True, text=True)
print(done.stdout.strip())
print('a warning' if done.stderr else 'no warning')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
1
00:00:01,000 --> 00:00:01,240
first

2
00:00:02,120 --> 00:00:03,240
^Isecond^I
line
no warning
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
