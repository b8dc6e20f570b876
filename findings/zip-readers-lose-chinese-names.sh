#!/bin/sh
# Guess: readers of ZIP give a Chinese name that stands in the extra field made for it, 0x7075 of the ZIP specification,
# beside one in the code page of the writer, as Info-ZIP writes it outside UTF-8.
# Seen with fflate 0.8.3 and adm-zip 0.6.1 (npm): they leave that field out and take the bytes of the code page for another
# encoding. 粵語.txt, in GBK beside the field, is a row of Latin letters and control characters for the one and three unknown
# characters and a Z for the other, and no error. Texts that name their recordings no longer find them. yauzl
# 3.4.0 and jszip 3.10.2 (npm) give 粵語.txt.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts fflate@0.8.3 adm-zip@0.6.1 yauzl@3.4.0 jszip@3.10.2
cat > write.py <<'END'
import struct
import zlib

TEXT, NAME = '早晨'.encode(), '粵語.txt'
written = NAME.encode('gbk')
field = struct.pack('<BI', 1, zlib.crc32(written)) + NAME.encode()
extra = struct.pack('<HH', 0x7075, len(field)) + field
common = struct.pack('<HHHHHIIIHH', 20, 0, 0, 0, 0x5D7D, zlib.crc32(TEXT), len(TEXT), len(TEXT), len(written), len(extra))
local = b'PK\x03\x04' + common + written + extra + TEXT
central = b'PK\x01\x02' + struct.pack('<H', 20) + common + bytes(14) + written + extra
end = b'PK\x05\x06' + struct.pack('<HHHHIIH', 0, 0, 1, 1, len(central), len(local), 0)
with open('names.zip', 'wb') as file:
    file.write(local + central + end)
END
python3 write.py
cat > read.js <<'END'
import { readFileSync } from 'node:fs';
import AdmZip from 'adm-zip';
import { strFromU8, unzipSync } from 'fflate';
import JSZip from 'jszip';
import yauzl from 'yauzl';

const file = readFileSync('names.zip');
const opened = await new Promise((resolve, reject) => yauzl.fromBuffer(file, (error, zip) => (error ? reject(error) : resolve(zip))));
const entry = await new Promise((resolve) => opened.once('entry', resolve));
const unzipped = unzipSync(file);
console.log('fflate', Object.keys(unzipped)[0], strFromU8(Object.values(unzipped)[0]));
console.log('adm-zip', new AdmZip(file).getEntries()[0].entryName);
console.log('jszip', Object.keys((await JSZip.loadAsync(file)).files)[0]);
console.log('yauzl', entry.fileName);
END
node read.js > seen
cat seen
printf 'fflate \302\273\302\233\303\225Z.txt 早晨\nadm-zip \357\277\275\357\277\275\357\277\275Z.txt\njszip 粵語.txt\nyauzl 粵語.txt\n' > expected
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
