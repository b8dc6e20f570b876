#!/bin/sh
# Guess: media-captions, the caption parser of a web player, leaves out what an ASS file has under `Comment:`, which no
# player shows, and writes the hard space `\h` as a space.
# Seen with media-captions 1.0.4 (npm): a comment becomes another line of the caption before it, with its times and commas,
# so the notes of a translator are shown to everybody; `\h` stays as it is. No error is reported. pysubs2
# 1.8.1 (PyPI), ass-compiler 0.1.16 (npm) and FFmpeg 9.0.2, which imageio-ffmpeg 0.8.1 (PyPI) brings, show no
# comment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts media-captions@1.0.4 ass-compiler@0.1.16
python3 -m venv python
python/bin/pip install --quiet pysubs2==1.8.1 imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cat > notes.ass <<'END'
[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,早晨\h阿明
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,問阿明係咪呢個名
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,唔該
END
cat > try.js <<'END'
import { readFileSync } from 'node:fs';
import { compile } from 'ass-compiler';
import { parseText } from 'media-captions';

const file = readFileSync('notes.ass', 'utf8');
const { cues, errors } = await parseText(file, { type: 'ass' });
console.log('media-captions', JSON.stringify(cues.map(({ text }) => text)), errors.length);
const shown = ({ slices }) => slices.flatMap(({ fragments }) => fragments.map(({ text }) => text)).join('');
console.log('ass-compiler', compile(file, {}).dialogues.length, compile(file, {}).dialogues.some((line) => shown(line).includes('名')));
END
{
  node try.js
  python/bin/python -c "import pysubs2; print('pysubs2', [event.plaintext for event in pysubs2.load('notes.ass') if not event.is_comment])"
  printf 'FFmpeg '
  "$ffmpeg" -v error -i notes.ass -f webvtt - | grep -c 問 || true
} > seen
cat seen
cat > expected <<'END'
media-captions ["早晨\\h阿明\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,問阿明係咪呢個名","唔該"] 0
ass-compiler 2 false
pysubs2 ['早晨 阿明', '唔該']
FFmpeg 0
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
