#!/bin/sh
# Guess: mutagen gives the length of a WAV file of ADPCM, as telephone systems and recorders write it, or of MP3 in WAV:
# the header states bytes per second, and the chunk `fact` the number of samples.
# Seen with mutagen 1.48.1 (PyPI): it takes each block, about two thousand samples of ADPCM or one frame of MP3, for
# one sample, so that a minute is given as 0.03 or 0.02 s, and no error. PCM and A-law are right. A program that
# limits or bills by that length counts next to nothing. tinytag 2.3.2 (PyPI) and music-metadata 11.16.1 (npm)
# give the minute.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet mutagen==1.48.1 tinytag==2.3.2 imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
for codec in pcm_s16le pcm_alaw adpcm_ima_wav adpcm_ms libmp3lame; do
  "$ffmpeg" -v error -f lavfi -i sine=duration=60:sample_rate=16000 -c:a $codec $codec.wav
done
cat > try.py <<'END'
import mutagen
import tinytag

for name in ('pcm_s16le', 'pcm_alaw', 'adpcm_ima_wav', 'adpcm_ms', 'libmp3lame'):
    path = f'{name}.wav'
    print(name, f'mutagen {mutagen.File(path).info.length:.2f}', f'tinytag {tinytag.TinyTag.get(path).duration:.1f}')
END
cat > try.js <<'END'
import { parseFile } from 'music-metadata';

for (const name of ['adpcm_ima_wav', 'adpcm_ms', 'libmp3lame'])
  console.log(name, 'music-metadata', (await parseFile(`${name}.wav`)).format.duration.toFixed(1));
END
{ python/bin/python try.py; node try.js; } > seen
cat seen
cat > expected <<'END'
pcm_s16le mutagen 60.00 tinytag 60.0
pcm_alaw mutagen 60.00 tinytag 60.0
adpcm_ima_wav mutagen 0.03 tinytag 60.0
adpcm_ms mutagen 0.03 tinytag 60.0
libmp3lame mutagen 0.02 tinytag 60.1
adpcm_ima_wav music-metadata 60.0
adpcm_ms music-metadata 60.0
libmp3lame music-metadata 60.1
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
