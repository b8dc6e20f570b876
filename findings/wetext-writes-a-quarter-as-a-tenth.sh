#!/bin/sh
# Guess: the way back of WeTextProcessing, from spoken to written numbers, writes a quarter past three as a time, and leaves
# words alone in which a number counts nothing.
# Seen with wetext 0.1.8 (PyPI), which has the rules of WeTextProcessing: 三点一刻 becomes 3.1刻, as if the hour had a
# tenth, while 三点半 is 3:30. 一点一点, little by little, is 1.1点, and 三五成群, in small groups, 3~5成群. Of
# 两千零二十六年十一月三十号 the month and day lose their characters: 2026年11/30. Each is a usual sentence of
# a recognizer, and nothing marks the wrong ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet wetext==0.1.8
cat > try.py <<'END'
from wetext import Normalizer

written = Normalizer(lang='zh', operator='itn')
for text in ('三点半', '三点一刻', '九点三刻', '一点一点', '三五成群', '两千零二十六年十一月三十号', '一百二十三'):
    print(text, written.normalize(text))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
三点半 3:30
三点一刻 3.1刻
九点三刻 9.3刻
一点一点 1.1点
三五成群 3~5成群
两千零二十六年十一月三十号 2026年11/30
一百二十三 123
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
