#!/bin/sh
# Guess: the YIN of pitchfinder gives the pitch of a low voice, or `null` where its piece of sound is too short for it.
# Seen with pitchfinder 2.3.4 (npm): in 2,048 samples at 44.1 kHz 110 Hz is right, 100 Hz is 19,004 Hz and 80 Hz is
# 18,163 Hz. At 48 kHz 110 Hz, an ordinary voice of a man, is 20,701 Hz. 2,048 samples have three to five periods of
# these. Its own ACF2PLUS and pitchy 4.1.0 (npm) give 80 to 110 Hz of the same samples.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts pitchfinder@2.3.4 pitchy@4.1.0
cat > try.mjs <<'END'
import * as pitchfinder from 'pitchfinder';
import { PitchDetector } from 'pitchy';

const { ACF2PLUS, YIN } = pitchfinder.default ?? pitchfinder;
const LENGTH = 2_048;
for (const [sampleRate, pitch] of [[44_100, 110], [44_100, 100], [44_100, 80], [48_000, 220], [48_000, 110]]) {
  const sound = new Float32Array(LENGTH);
  for (let index = 0; index < LENGTH; index++) {
    for (let part = 1; part <= 5; part++) sound[index] += (0.2 / part) * Math.sin((2 * Math.PI * pitch * part * index) / sampleRate);
  }
  const [pitchy] = PitchDetector.forFloat32Array(LENGTH).findPitch(sound, sampleRate);
  const rounded = [YIN({ sampleRate })(sound), ACF2PLUS({ sampleRate })(sound), pitchy].map(Math.round);
  console.log(`${pitch} Hz at ${sampleRate}: YIN ${rounded[0]}, ACF2PLUS ${rounded[1]}, pitchy ${rounded[2]}`);
}
END
node try.mjs > seen
cat seen
cat > expected <<'END'
110 Hz at 44100: YIN 110, ACF2PLUS 110, pitchy 110
100 Hz at 44100: YIN 19004, ACF2PLUS 100, pitchy 100
80 Hz at 44100: YIN 18163, ACF2PLUS 80, pitchy 80
220 Hz at 48000: YIN 220, ACF2PLUS 220, pitchy 220
110 Hz at 48000: YIN 20701, ACF2PLUS 110, pitchy 110
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
