#!/bin/sh
# Guess: pycaption reads the times of TTML: those of a paragraph count from the begin of its `div`, and a fraction
# of a second may have any number of digits, as the standard says.
# Seen with pycaption 2.3.14 (PyPI): the begin of a `div` or of `body` is left out, so a chapter that begins after an hour
# comes at the start. Of a fraction the digits are taken for milliseconds: 1.1230000, as .NET prints times,
# is 1231 s, and 2.5000 is 7 s; up to three digits are right. No error is given. pysubs2 1.8.1 (PyPI)
# reads both right, and so does imsc.js 1.1.5 (npm).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pycaption==2.3.14 pysubs2==1.8.1
npm install --silent --no-audit --no-fund --ignore-scripts imsc@1.1.5
cat > late.ttml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<tt xml:lang="zh" xmlns="http://www.w3.org/ns/ttml"><head/><body><div begin="01:00:00"><p begin="1s" end="2s">早晨</p></div></body></tt>
END
cat > fraction.ttml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<tt xml:lang="zh" xmlns="http://www.w3.org/ns/ttml"><head/><body><div><p begin="00:00:01.1230000" end="00:00:02.5000">早晨</p></div></body></tt>
END
cat > try.py <<'END'
import warnings

import pycaption
import pysubs2

warnings.simplefilter('ignore')
for name in ('late', 'fraction'):
    with open(f'{name}.ttml', encoding='utf-8') as file:
        document = file.read()
    caption = pycaption.DFXPReader().read(document).get_captions('zh')[0]
    event = pysubs2.SSAFile.from_string(document, format_='ttml')[0]
    print(name, 'pycaption', [caption.start / 1e6, caption.end / 1e6], 'pysubs2', [event.start / 1e3, event.end / 1e3])
END
cat > try.cjs <<'END'
// imsc.js asks the browser for its name and for one style when it is loaded.
globalThis.navigator ??= { userAgent: '' };
globalThis.window = { getComputedStyle: () => ({}) };
globalThis.document = { documentElement: {} };
const { readFileSync } = require('node:fs');
const { fromXML } = require('imsc');
for (const name of ['late', 'fraction']) {
  const [, ...times] = fromXML(readFileSync(`${name}.ttml`, 'utf8'), {}).getMediaTimeEvents();
  console.log(name, 'imsc.js', JSON.stringify(times));
}
END
{ python/bin/python try.py; node try.cjs; } > seen
cat seen
cat > expected <<'END'
late pycaption [1.0, 2.0] pysubs2 [3601.0, 3602.0]
fraction pycaption [1231.0, 7.0] pysubs2 [1.123, 2.5]
late imsc.js [3600,3601,3602]
fraction imsc.js [1.123,2.5]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
