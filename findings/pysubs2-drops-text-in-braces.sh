#!/bin/sh
# Guess: pysubs2 keeps the text of a caption of SubRip, WebVTT or TTML, or of a segment of Whisper, when it writes SubRip,
# WebVTT or TTML: braces and backslashes are marks in ASS alone.
# Seen with pysubs2 1.8.1 (PyPI): whatever it reads is a line of ASS from then on. `{laughs}` and `{name}` are missing in what
# it writes, and `\n` and `\N` in the words of a speaker, as of a path C:\Notes, begin a new line. Nothing is said. Captions
# lose remarks at each conversion, and of a cue that is one remark an empty one is left. Written as ASS they are invisible.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile pysubs2==1.8.1
cat > try.py <<'END'
import pysubs2

TEXT = r'{laughs} open C:\Notes {name}'
FILES = {
    'srt': f'1\n00:00:01,000 --> 00:00:02,000\n{TEXT}\n',
    'vtt': f'WEBVTT\n\n00:01.000 --> 00:02.000\n{TEXT}\n',
    'ttml': f'<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">{TEXT}</p></div></body></tt>',
}
captions = {form: pysubs2.SSAFile.from_string(text, format_=form) for form, text in FILES.items()}
captions['Whisper'] = pysubs2.load_from_whisper([{'start': 1.0, 'end': 2.0, 'text': TEXT}])
for source, subtitles in captions.items():
    for target in ('srt', 'vtt'):
        print(f'{source} to {target}:', subtitles.to_string(target).strip().split('\n')[2 if target == 'srt' else 4:])
    print(f'{source} to ttml:', '{name}' in subtitles.to_string('ttml'))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
srt to srt: ['open C:', 'otes']
srt to vtt: ['open C:', 'otes']
srt to ttml: False
vtt to srt: ['open C:', 'otes']
vtt to vtt: ['open C:', 'otes']
vtt to ttml: False
ttml to srt: ['open C:', 'otes']
ttml to vtt: ['open C:', 'otes']
ttml to ttml: False
Whisper to srt: ['open C:', 'otes']
Whisper to vtt: ['open C:', 'otes']
Whisper to ttml: False
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
