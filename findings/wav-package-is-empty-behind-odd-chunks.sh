#!/bin/sh
# Guess: readers of WAV in Node skip the byte that fills up a chunk of odd length before the sound, such as a title of
# five letters, as RIFF has it.
# Seen with wav 1.0.2 and wav-decoder 1.3.0 (npm): `Reader` of wav gives the format, no byte of sound, and then its end,
# without an error. wav-decoder fails. wavefile 11.0.0 (npm) gives all 1,000 samples, and so do the other two where the
# title is one letter longer. Whether a recording is empty so depends on the length of its title.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts wav@1.0.2 wav-decoder@1.3.0 wavefile@11.0.0
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import wav from 'wav';
import decoder from 'wav-decoder';
import wavefile from 'wavefile';

const chunk = (id, content) => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
const format = Buffer.from('01000100803e0000007d000002001000', 'hex');
for (const title of ['Hello', 'Hello!']) {
  const chunks = [chunk('fmt ', format), chunk('note', Buffer.from(title)), chunk('data', Buffer.alloc(2_000, 1))];
  const file = chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
  const reader = Readable.from([file]).pipe(new wav.Reader());
  let bytes = 0;
  reader.on('data', (piece) => (bytes += piece.length));
  await new Promise((resolve, reject) => reader.on('end', resolve).on('error', reject));
  const decoded = await decoder.decode(new Uint8Array(file).buffer).then(({ channelData: [sound] }) => sound.length, () => 'an error');
  const samples = new wavefile.WaveFile(file).getSamples().length;
  console.log(`${title}: wav gives ${bytes / 2} samples, wav-decoder ${decoded}, wavefile ${samples}`);
}
END
node try.mjs > seen
cat seen
cat > expected <<'END'
Hello: wav gives 0 samples, wav-decoder an error, wavefile 1000
Hello!: wav gives 1000 samples, wav-decoder 1000, wavefile 1000
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
