#!/bin/sh
# Guess: where ttconv makes SubRip or WebVTT of captions with ruby, it leaves the readings out and keeps the characters
# they stand above; WebVTT could keep both.
# Seen with ttconv 1.2.3 (PyPI): both are gone, the characters too, without a word: 我講粵語。 with a reading above 粵語
# becomes 我講。, whether it comes from WebVTT or from TTML. The TTML that it writes has everything, so it had
# read them. pysubs2 1.8.1 keeps characters and readings, pycaption 2.3.14 too (PyPI).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet ttconv==1.2.3 pysubs2==1.8.1 pycaption==2.3.14
cat > try.py <<'END'
import io
import logging
import re
import xml.etree.ElementTree as ElementTree

import pycaption
import pysubs2
import ttconv.imsc.reader
import ttconv.imsc.writer
import ttconv.srt.writer
import ttconv.vtt.reader
import ttconv.vtt.writer

logging.disable()
WEB_VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\n我講<ruby>粵語<rt>jyut6 jyu5</rt></ruby>。\n'
TTML = '''<tt xml:lang="yue" xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"><head/><body><div>
<p begin="1s" end="2s">我講<span tts:ruby="container"><span tts:ruby="base">粵語</span><span tts:ruby="text">jyut6 jyu5</span></span>。</p>
</div></body></tt>'''
models = {
    'WebVTT': ttconv.vtt.reader.to_model(io.StringIO(WEB_VTT)),
    'TTML': ttconv.imsc.reader.to_model(ElementTree.ElementTree(ElementTree.fromstring(TTML))),
}
seen = {}
for name, model in models.items():
    seen[f'{name} to TTML'] = ''.join(ttconv.imsc.writer.from_model(model).getroot().itertext()).strip()
    for target, writer in (('SubRip', ttconv.srt.writer), ('WebVTT', ttconv.vtt.writer)):
        seen[f'{name} to {target}'] = re.sub('<[^>]*>', '', writer.from_model(model).strip().split('\n')[-1])
seen['pysubs2'] = pysubs2.SSAFile.from_string(WEB_VTT, format_='vtt')[0].plaintext
seen['pycaption'] = pycaption.SRTWriter().write(pycaption.WebVTTReader().read(WEB_VTT)).strip().split('\n')[-1]
for name, text in seen.items():
    print(f'{name}: {text}')
cut = '我講。'
if not all(text == cut for name, text in seen.items() if name.endswith(('SubRip', 'to WebVTT'))):
    raise SystemExit('ttconv behaves differently now')
if not all('粵語' in text for name, text in seen.items() if name.endswith(('to TTML', 'pysubs2', 'pycaption'))):
    raise SystemExit('the others behave differently now')
END
python/bin/python try.py
echo 'as described'
