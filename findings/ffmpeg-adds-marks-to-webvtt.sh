#!/bin/sh
# Guess: captions in WebVTT that FFmpeg writes as SubRip, or as WebVTT again, keep braces and backslashes, which mean
# nothing in either format.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: `{laughs}` becomes `\{{}laughs}`, and an invisible
# U+2060 stands behind each backslash; with each further pass there are more of them. FFmpeg protects the text
# for ASS, its inner form, and does not take that back. SubRip is not protected: of `C:\new` it makes two lines,
# `C:` and `ew`. No message tells. Players show these signs, and a search for the text fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg

TEXT = r'{laughs} C:\hat'


def written(text, source, *targets):
    """The text of a caption that goes from one format to the next."""
    with open(f'0.{source}', 'w', encoding='utf-8') as file:
        file.write(f'WEBVTT\n\n00:01.000 --> 00:02.000\n{text}\n' if source == 'vtt' else f'1\n00:00:01,000 --> 00:00:02,000\n{text}\n')
    last = f'0.{source}'
    for number, target in enumerate(targets, 1):
        subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', last, f'{number}.{target}'], check=True)
        last = f'{number}.{target}'
    with open(last, encoding='utf-8') as file:
        lines = file.read().strip().split('\n')
    subprocess.run(['rm', *(f'{number}.{target}' for number, target in enumerate(targets, 1))], check=True)
    return ascii(lines[lines.index(next(line for line in lines if '-->' in line)) + 1:])


print('WebVTT to SubRip', written(TEXT, 'vtt', 'srt'))
print('WebVTT to WebVTT', written(TEXT, 'vtt', 'vtt'))
print('three times', written(TEXT, 'vtt', 'vtt', 'vtt', 'vtt'))
print('SubRip to SubRip', written(TEXT, 'srt', 'srt'), written(r'C:\new', 'srt', 'srt'))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
WebVTT to SubRip ['\\{{}laughs} C:\\\u2060hat']
WebVTT to WebVTT ['\\{{}laughs} C:\\\u2060hat']
three times ['\\\u2060\u2060\\\u2060\\{{}\\{{}}\\\u2060\\{{}\\{{}}}laughs} C:\\\u2060\u2060\u2060hat']
SubRip to SubRip ['{laughs} C:\\hat'] ['C:', 'ew']
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
