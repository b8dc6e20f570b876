#!/bin/sh
# Guess: @plussub/srt-vtt-parser reads the end of a WebVTT cue that has settings behind it, such as `align:start`.
# Seen with @plussub/srt-vtt-parser 2.0.5 (npm): where the times have no hours, which the format allows below one hour and
# many programs write, the end of such a cue is `null`, and no error. With hours, or without settings, it is
# right, so a file may have both. media-captions 1.0.4 (npm) and webvtt-py 0.6.0 (PyPI) give the end.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @plussub/srt-vtt-parser@2.0.5 media-captions@1.0.4
python3 -m venv python
python/bin/pip install --quiet webvtt-py==0.6.0
cat > try.js <<'END'
import { writeFileSync } from 'node:fs';
import { parse } from '@plussub/srt-vtt-parser';
import { parseText } from 'media-captions';

const LINES = [
  '00:01.000 --> 00:04.000',
  '00:01.000 --> 00:04.000 align:start',
  '00:00:01.000 --> 00:00:04.000 align:start',
];
const file = `WEBVTT\n\n${LINES.map((line) => `${line}\n早晨\n`).join('\n')}`;
writeFileSync('cues.vtt', file);
console.log('plussub', JSON.stringify(parse(file).entries.map(({ to }) => to)));
console.log('media-captions', JSON.stringify((await parseText(file)).cues.map(({ endTime }) => endTime)));
END
{
  node try.js
  python/bin/python -c "import webvtt; print('webvtt-py', [cue.end for cue in webvtt.read('cues.vtt')])"
} > seen
cat seen
cat > expected <<'END'
plussub [4000,null,4000]
media-captions [4,4,4]
webvtt-py ['00:00:04.000', '00:00:04.000', '00:00:04.000']
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
