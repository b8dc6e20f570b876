#!/bin/sh
# Guess: `open2Sync(codec, options)` of node-av takes a Dictionary as its asynchronous sibling
# `open2` does, and both leave it to the caller to dispose of.
# Seen with node-av 6.1.1 (FFmpeg 8.1) and Node 24: the synchronous call opens the codec and the
# process then dies in free(), at the latest when it ends, whether the Dictionary was disposed of,
# read or left to the garbage collector; `open2` ends well. avcodec_open2 replaces the dictionary
# that it is given, so the old pointer must not be freed again. `setOption` on the context, and then
# `open2Sync` without options, is a way around.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-av@6.1.1
cat > open.js <<'SCRIPT'
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, Dictionary, Log, Rational } from 'node-av/lib';
Log.setLevel(-8);
const codec = Codec.findEncoderByName('aac');
const context = new CodecContext();
context.allocContext3(codec);
context.sampleRate = 48_000;
context.channelLayout = avChannelLayoutDefault(1);
context.sampleFormat = AV_SAMPLE_FMT_FLTP;
context.timeBase = new Rational(1, 48_000);
const options = Dictionary.fromObject({ aac_coder: 'fast' });
const way = process.argv[2];
if (way === 'setOption') context.setOption('aac_coder', 'fast');
const status =
  way === 'open2' ? await context.open2(codec, options) : context.open2Sync(codec, way === 'setOption' ? null : options);
console.log(`opened with ${status}`);
SCRIPT
outcome() {
  code=0
  node open.js "$1" > "$1.txt" 2>&1 || code=$?
  [ "$code" -lt 128 ] && echo "ends with $code" || echo 'is killed'
}
for way in open2 open2Sync setOption; do echo "$way: $(outcome "$way")"; done | tee seen.txt
grep -q '^open2: ends with 0' seen.txt || { echo 'open2 behaves differently now'; exit 1; }
grep -q '^open2Sync: is killed' seen.txt || { echo 'open2Sync behaves differently now'; exit 1; }
grep -q '^setOption: ends with 0' seen.txt || { echo 'setOption behaves differently now'; exit 1; }
echo 'as described'
