#!/bin/sh
# Guess: a library that turns WebVTT into SubRip decodes `&amp;` and `&lt;`: WebVTT demands the escapes,
# and SubRip has none.
# Seen with webvtt-py 0.6.0 and pysubs2 1.8.1 (PyPI), subtitle 4.2.2 (npm): none of the three does. What
# they write, and what pysubs2 calls `plaintext`, has "R&amp;D: 3 &lt; 5", as a viewer then reads it. FFmpeg
# 9.0.2 (imageio-ffmpeg 0.8.1) decodes. The way back loses as well: of the SubRip line "R&D: 3 < 5"
# they make WebVTT without escapes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts subtitle@4.2.2
python3 -m venv python
python/bin/pip install --quiet webvtt-py==0.6.0 pysubs2==1.8.1 imageio-ffmpeg==0.8.1
printf 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nR&amp;D: 3 &lt; 5\n' > captions.vtt
printf '1\n00:00:01,000 --> 00:00:02,000\nR&D: 3 < 5\n' > captions.srt
cat > convert.py <<'END'
import subprocess
import imageio_ffmpeg
import pysubs2
import webvtt

webvtt.read('captions.vtt').save_as_srt('webvtt-py.srt')
webvtt.from_srt('captions.srt').save('webvtt-py.vtt')
pysubs2.load('captions.vtt').save('pysubs2.srt')
pysubs2.load('captions.srt').save('pysubs2.vtt')
print('pysubs2, plaintext:', pysubs2.load('captions.vtt')[0].plaintext)
subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'captions.vtt', 'ffmpeg.srt'], check=True)
END
cat > convert.js <<'END'
import { readFileSync, writeFileSync } from 'node:fs';
import { parseSync, stringifySync } from 'subtitle';
const read = (name) => parseSync(readFileSync(name, 'utf8'));
writeFileSync('subtitle.srt', stringifySync(read('captions.vtt'), { format: 'SRT' }));
writeFileSync('subtitle.vtt', stringifySync(read('captions.srt'), { format: 'WebVTT' }));
END
plain=$(python/bin/python convert.py)
node convert.js
line() { grep 'R&' "$1" | tr -d '\r'; }
echo "$plain"
[ "$plain" = 'pysubs2, plaintext: R&amp;D: 3 &lt; 5' ] || { echo 'behaves differently now'; exit 1; }
for library in webvtt-py pysubs2 subtitle; do
  echo "$library: to SubRip $(line $library.srt), to WebVTT $(line $library.vtt)"
  [ "$(line $library.srt)" = 'R&amp;D: 3 &lt; 5' ] && [ "$(line $library.vtt)" = 'R&D: 3 < 5' ] ||
    { echo 'behaves differently now'; exit 1; }
done
echo "ffmpeg: to SubRip $(line ffmpeg.srt)"
[ "$(line ffmpeg.srt)" = 'R&D: 3 < 5' ] || { echo 'ffmpeg behaves differently now'; exit 1; }
echo 'as described'
