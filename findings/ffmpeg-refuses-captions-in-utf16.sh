#!/bin/sh
# Guess: FFmpeg reads timed text of MP4 and 3GP in both forms that the standard has (3GPP TS 26.245): UTF-8, and UTF-16 behind
# a byte order mark, in which Chinese takes two bytes a character instead of three.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: it takes the bytes for UTF-8, finds them invalid and
# leaves the caption out; a file with no other fails as a whole. The two files here differ in these six bytes
# alone. What is made of such a film has no captions, or lacks those that a program wrote in UTF-16.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']
CUES = '1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\n唔該\n'
subprocess.run([*FFMPEG, '-f', 'srt', '-i', '-', '-c:s', 'mov_text', 'utf8.mp4'], input=CUES.format('早晨').encode(), check=True)
with open('utf8.mp4', 'rb') as file:
    utf8 = file.read()
both = ('早晨'.encode(), b'\xfe\xff' + '早晨'.encode('utf-16-be'))
with open('utf16.mp4', 'wb') as file:
    file.write(utf8.replace(*both))
print(*(len(text) for text in both), 'bytes')
for name in ('utf8', 'utf16'):
    result = subprocess.run([*FFMPEG, '-i', f'{name}.mp4', '-f', 'srt', '-'], capture_output=True)
    texts = result.stdout.decode().split('\n')[2::4]
    print(name, texts, 'Invalid UTF-8' in result.stderr.decode())
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
6 6 bytes
utf8 ['早晨', '唔該'] False
utf16 ['唔該'] True
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
