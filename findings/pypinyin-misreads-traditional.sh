#!/bin/sh
# Guess: pypinyin reads a word in Traditional characters as it reads the same word in Simplified ones.
# Seen with pypinyin 0.55.0, opencc 1.4.2 and the words of jieba 0.42.1 (PyPI): not 437 of the 8,538 commonest words that are
# written otherwise. Its phrases are Simplified, so characters of several readings get their first one: 銀行 yin xing,
# 音樂 yin le, 重慶 zhong qing, 長江 zhang jiang, 調整 diao zheng, 睡覺 shui jue, where 银行 is yin hang. A few of them, such
# as 快樂, are right by chance. pinyin-pro 3.29.4 (npm) reads the first three so too, with `traditional: true` as without,
# until a dictionary is added. A text of Hong Kong or Taiwan so is read wrong in common words, and no error tells.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pypinyin==0.55.0 opencc==1.4.2 jieba==0.42.1 setuptools==80.9.0
cat > try.py <<'END'
import os

import jieba
import opencc
from pypinyin import Style, lazy_pinyin

to_traditional = opencc.OpenCC('s2t').convert
compared, other = 0, {}
with open(os.path.join(os.path.dirname(jieba.__file__), 'dict.txt'), encoding='utf-8') as words:
    for line in words:
        word, count, _ = line.split(' ')
        traditional = to_traditional(word)
        if int(count) < 300 or len(word) < 2 or traditional == word:
            continue
        compared += 1
        readings = [lazy_pinyin(text, style=Style.TONE3) for text in (word, traditional)]
        if readings[0] != readings[1]:
            other[traditional] = f'{" ".join(readings[1])} for {" ".join(readings[0])}'
print(f'{len(other)} of {compared} words differ')
for word in ('銀行', '音樂', '重慶', '長江', '調整', '睡覺', '快樂'):
    print(word, other.get(word, 'the same'))
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
437 of 8538 words differ
銀行 yin2 xing2 for yin2 hang2
音樂 yin1 le4 for yin1 yue4
重慶 zhong4 qing4 for chong2 qing4
長江 zhang3 jiang1 for chang2 jiang1
調整 diao4 zheng3 for tiao2 zheng3
睡覺 shui4 jue2 for shui4 jiao4
快樂 the same
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
