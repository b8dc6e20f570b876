#!/bin/sh
# Guess: ttconv, the converter of the TTML community, shows a paragraph from 1 to 5 s in a `div` that begins at 1 s from 2 to
# 6 s, as TTML says: what has no end lasts as long as what it contains.
# Seen with ttconv 1.2.3 (PyPI): a `div` or `body` with a begin and without an end ends where its paragraphs would end
# if it began at zero. So this one ends at 5 s, two later ones lose their second, and where the `div` begins
# after that, as in the parts of a long programme, everything in it is gone, without a word. With an end it
# is right. pysubs2 1.8.1 (PyPI) and imsc.js 1.1.5 (npm) give all of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet ttconv==1.2.3 pysubs2==1.8.1
npm install --silent --no-audit --no-fund --ignore-scripts imsc@1.1.5
cat > try.py <<'END'
import logging
import re
import xml.etree.ElementTree as ElementTree

import pysubs2
import ttconv.imsc.reader
import ttconv.srt.writer

logging.disable()
PARTS = {
    'short': '<div begin="1s"><p begin="1s" end="5s">早</p></div>',
    'two': '<div begin="2s"><p begin="1s" end="2s">早</p><p begin="3s" end="4s">晨</p></div>',
    'late': '<div begin="1h"><p begin="1s" end="5s">早</p></div>',
    'ended': '<div begin="1h" end="2h"><p begin="1s" end="5s">早</p></div>',
}
for name, part in PARTS.items():
    document = f'<tt xml:lang="zh" xmlns="http://www.w3.org/ns/ttml"><head/><body>{part}</body></tt>'
    with open(f'{name}.ttml', 'w', encoding='utf-8') as file:
        file.write(document)
    model = ttconv.imsc.reader.to_model(ElementTree.ElementTree(ElementTree.fromstring(document)))
    written = re.findall(r'(\S+) --> (\S+)', ttconv.srt.writer.from_model(model))
    events = [(event.start // 1000, event.end // 1000) for event in pysubs2.SSAFile.from_string(document, format_='ttml')]
    print(name, 'ttconv', [' to '.join(times) for times in written], 'pysubs2', events)
END
cat > try.cjs <<'END'
// imsc.js asks the browser for its name and for one style when it is loaded.
globalThis.navigator ??= { userAgent: '' };
globalThis.window = { getComputedStyle: () => ({}) };
globalThis.document = { documentElement: {} };
const { readFileSync } = require('node:fs');
const { fromXML } = require('imsc');
for (const name of ['short', 'two', 'late', 'ended'])
  console.log(name, 'imsc.js', JSON.stringify(fromXML(readFileSync(`${name}.ttml`, 'utf8'), {}).getMediaTimeEvents()));
END
{ python/bin/python try.py; node try.cjs; } > seen 2> messages
cat seen
cat > expected <<'END'
short ttconv ['00:00:02,000 to 00:00:05,000'] pysubs2 [(2, 6)]
two ttconv ['00:00:03,000 to 00:00:04,000'] pysubs2 [(3, 4), (5, 6)]
late ttconv [] pysubs2 [(3601, 3605)]
ended ttconv ['01:00:01,000 to 01:00:05,000'] pysubs2 [(3601, 3605)]
short imsc.js [0,1,2,6]
two imsc.js [0,2,3,4,5,6]
late imsc.js [0,3600,3601,3605]
ended imsc.js [0,3600,3601,3605,7200]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
