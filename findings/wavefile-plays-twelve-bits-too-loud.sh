#!/bin/sh
# Guess: wavefile reads WAV of 12 bits, which recorders and instruments write, at its level: samples stand in 16 bits,
# with the four lowest left zero, as the format has it.
# Seen with wavefile 11.0.0 (npm): it takes the whole number as one of 12 bits, so a tone at a third of full scale
# becomes, in 16 bits or as floating point, sixteen times as loud: cut off at full scale in 16 bits, up to 5.9 as
# floating point. soundfile 0.14.0 (PyPI) gives 0.37.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts wavefile@11.0.0
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6
cat > write.py <<'END'
import struct

RATE, LENGTH, PEAK = 16_000, 1_000, 12_000
tone = [PEAK if index // 20 % 2 else -PEAK for index in range(LENGTH)]
sound = struct.pack(f'<{LENGTH}h', *[sample & ~15 for sample in tone])
form = struct.pack('<HHIIHH', 1, 1, RATE, 2 * RATE, 2, 12)
chunks = b'WAVE' + b'fmt ' + struct.pack('<I', len(form)) + form + b'data' + struct.pack('<I', len(sound)) + sound
with open('tone.wav', 'wb') as file:
    file.write(b'RIFF' + struct.pack('<I', len(chunks)) + chunks)
END
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';
import wavefile from 'wavefile';

const highest = (depth) => {
  const file = new wavefile.WaveFile(readFileSync('tone.wav'));
  file.toBitDepth(depth);
  return Math.max(...file.getSamples());
};
console.log(`wavefile: ${highest('16')} of 32767, ${highest('32f').toFixed(2)} as floating point`);
END
python3 write.py
(
  node try.mjs
  python/bin/python -c 'import soundfile; print("soundfile:", round(soundfile.read("tone.wav")[0].max(), 2))'
) > seen
cat seen
cat > expected <<'END'
wavefile: 32767 of 32767, 5.86 as floating point
soundfile: 0.37
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
