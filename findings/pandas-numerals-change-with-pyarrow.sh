#!/bin/sh
# Guess: a program that uses pandas gives the same whether pyarrow is installed beside it or not; pandas 3, which
# keeps texts as `str`, takes pyarrow for them where it finds it, and only becomes faster.
# Seen with pandas 3.1.1, pyarrow 26.0.1 (PyPI): without pyarrow `isnumeric` is true of 二 and `isdigit` false of ½,
# as with Python's own texts. With pyarrow it is the other way round: 二 is no number, and ½ a digit, on
# which `int` then fails. `upper` gives ẞ instead of SS and leaves the ligature ﬁ. A filter of Chinese
# numerals so drops rows on the machine on which something else has brought pyarrow along.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pandas==3.1.1
cat > texts.py <<'END'
import pandas

texts = pandas.Series(['二', '½', 'ß', 'ﬁ'])
assert texts.dtype == 'str'
numeric, digits = (method().tolist() for method in (texts.str.isnumeric, texts.str.isdigit))
print(texts.dtype.storage, numeric[:2], digits[:2], texts.str.upper().tolist()[2:])
END
without=$(python/bin/python texts.py)
python/bin/pip install --quiet pyarrow==26.0.1
with=$(python/bin/python texts.py)
echo 'storage, isnumeric of 二 and ½, isdigit of them, upper of ß and ﬁ:'
echo "$without"
echo "$with"
[ "$without" = "python [True, True] [False, False] ['SS', 'FI']" ] || { echo 'behaves differently now'; exit 1; }
[ "$with" = "pyarrow [False, True] [False, True] ['ẞ', 'ﬁ']" ] || { echo 'behaves differently with pyarrow now'; exit 1; }
echo 'as described'
