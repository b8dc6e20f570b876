#!/bin/sh
# Guess: from lyrics that have a time before each word too, as karaoke files have, FFmpeg takes the words, and the last
# line is shown for some time.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: the times of the words stand in the caption, so
# `<00:01.00>早 <00:01.50>晨` is what players of SubRip show, and in WebVTT, where such a tag means something, they
# lack the digit that would make it one. The last line ends when it begins, so it is never seen. pylrc 0.1.2 (PyPI)
# keeps the times in the text too; lrc-kit 1.2.1 (npm) gives the words and their times.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts lrc-kit@1.2.1
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 pylrc==0.1.2
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
printf '[00:01.00]<00:01.00>早 <00:01.50>晨\n[00:03.00]<00:03.00>唔<00:03.40>該\n' > song.lrc
{
  echo SubRip
  "$ffmpeg" -v error -i song.lrc -f srt - | grep .
  echo WebVTT
  "$ffmpeg" -v error -i song.lrc -f webvtt - | grep 早
  python/bin/python -c "import pylrc; print('pylrc', *(line.text for line in pylrc.parse(open('song.lrc', encoding='utf-8').read())), sep='\n')"
  node --input-type=module -e "
import { readFileSync } from 'node:fs';
import { Lrc } from 'lrc-kit';
console.log('lrc-kit', ...Lrc.parse(readFileSync('song.lrc', 'utf8')).lyrics.map(({ content }) => content));
"
} > seen
cat seen
cat > expected <<'END'
SubRip
1
00:00:01,000 --> 00:00:03,000
<00:01.00>早 <00:01.50>晨
2
00:00:03,000 --> 00:00:03,000
<00:03.00>唔<00:03.40>該
WebVTT
<00:01.00>早 <00:01.50>晨
pylrc
<00:01.00>早 <00:01.50>晨
<00:03.00>唔<00:03.40>該
lrc-kit 早 晨 唔該
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
