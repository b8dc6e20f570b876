#!/bin/sh
# Guess: `Text` of pycrdt, the shared text of Jupyter and other editors, "similar to a Python str", counts characters in
# `insert` and `len`, also of Chinese.
# Seen with pycrdt 0.14.13 (PyPI): both count bytes of UTF-8, and slices count characters. Of 坐𨋢好, three characters, the
# length is 10, and `insert(1, '!')` puts the mark at the end, without an error; 3, the bytes of 坐, puts it behind 坐.
# A program that puts a word at the place that `str(text).index` gave writes it somewhere else, for all who share the text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pycrdt==0.14.13
cat > try.py <<'END'
from pycrdt import Doc, Text

for content in ('abc', '坐𨋢好'):
    shared = Doc().get('text', type=Text)
    shared += content
    print(f'{content}: length {len(shared)}, second character {shared[1:2]}')
    for index in (1, 3):
        shared = Doc().get('text', type=Text)
        shared += content
        shared.insert(index, '!')
        print(f'  insert({index}): {shared}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
abc: length 3, second character b
  insert(1): a!bc
  insert(3): abc!
坐𨋢好: length 10, second character 𨋢
  insert(1): 坐𨋢好!
  insert(3): 坐!𨋢好
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
