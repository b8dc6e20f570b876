#!/bin/sh
# Guess: wetext, the normalization of WeNet for Chinese speech, reads a range before a measure word as one, 三到五次 for
# 3-5次, and an amount in the dollars of Hong Kong as 港元.
# Seen with wetext 0.1.8 (PyPI): a range is read as such before 个, 人 and 岁; before 次 it is a subtraction, 三减五次, as it is
# before 個 in Traditional writing. 50%-60% becomes 百分之五十百分之负六十, fifty per cent and minus sixty, and 10-20
# alone the 20th of October. HK$50 is HK and fifty dollars of the United States; A$50 is right. A voice so says
# wrong amounts and ranges, and pairs of text and sound for training are wrong.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet wetext==0.1.8
cat > try.py <<'END'
from wetext import Normalizer

normalizer = Normalizer(lang='zh', operator='tn')
for text in ('3-5个', '10-20岁', '3-5次', '3-5個', '50%-60%', '10-20', '13-31', 'A$50', 'HK$50'):
    print(text, normalizer.normalize(text))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
3-5个 三到五个
10-20岁 十到二十岁
3-5次 三减五次
3-5個 三减五個
50%-60% 百分之五十百分之负六十
10-20 十月二十日
13-31 十三减三十一
A$50 五十澳元
HK$50 HK五十美元
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
