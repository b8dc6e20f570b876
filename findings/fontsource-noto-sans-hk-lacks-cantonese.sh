#!/bin/sh
# Guess: the web font Noto Sans HK, made for Hong Kong, has every character of HKCanCor, a corpus of spoken Cantonese, in
# one of its pieces, under a `unicode-range` that names it.
# Seen with @fontsource/noto-sans-hk 5.3.0 (npm): of the corpus in pycantonese 5.0.0 (PyPI) 癐 (gui6, tired), 樖 (po1, which
# counts trees), 埲, 掅, 簜 and 覮 are in none, nor are 3,601 of the 17,720 Han characters of Big5 with HKSCS. A page shows
# them in another font, or as boxes. The ranges name 2,654 Han characters that their piece lacks, so a browser loads
# a piece and still finds nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @fontsource/noto-sans-hk@5.3.0
python3 -m venv python
python/bin/pip install --quiet fonttools==4.68.0 brotli==1.2.1 pycantonese==5.0.0
cat > try.py <<'END'
import pathlib
import re

import pycantonese
from fontTools.ttLib import TTFont

PACKAGE = pathlib.Path('node_modules/@fontsource/noto-sans-hk')
HAN = range(0x3400, 0x40000)
covered = set()
absent = 0
for file, ranges in re.findall(r'url\(\./(files/[^)]+\.woff2)\).*?unicode-range:\s*([^;]+);', (PACKAGE / '400.css').read_text(), re.S):
    glyphs = TTFont(PACKAGE / file, lazy=True).getBestCmap()
    for part in ranges.split(','):
        first, _, last = part.strip().removeprefix('U+').partition('-')
        for code in range(int(first, 16), int(last or first, 16) + 1):
            if code in glyphs:
                covered.add(code)
            elif code in HAN:
                absent += 1


def lacking(characters):
    return sorted(character for character in characters if ord(character) in HAN and ord(character) not in covered)


def of_big5():
    for first in range(0x87, 0xFF):
        for second in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            text = bytes([first, second]).decode('big5hkscs', errors='ignore')
            if len(text) == 1 and ord(text) in HAN:
                yield text


print('of HKCanCor:', ' '.join(lacking({character for word in pycantonese.hkcancor().words() for character in word})))
big5 = set(of_big5())
print(f'of Big5 with HKSCS: {len(lacking(big5))} of {len(big5)}')
print(f'named and absent: {absent}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
of HKCanCor: 埲 掅 樖 癐 簜 覮
of Big5 with HKSCS: 3601 of 17720
named and absent: 2654
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
