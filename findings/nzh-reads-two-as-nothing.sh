#!/bin/sh
# Guess: nzh, the library of Chinese numbers, reads the numbers that people write, 两万三千 and 二零二六 among them,
# or refuses what it does not know.
# Seen with nzh 1.0.14 (npm): it leaves out what it does not know, and says nothing. 两 and 兩, which people write
# for two before 百, 千 and 万, are not known: 两万三千 is 3000, 兩千 is 0. The digits of a year are added up
# so that a zero holds no place: 二零二六 is 226. What is no number is 0. cn2an 0.5.24 (PyPI) reads all four
# and refuses the last.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts nzh@1.0.14
python3 -m venv python
python/bin/pip install --quiet cn2an==0.5.24
npm=$(node --input-type=module -e "
import nzh from 'nzh';
const { cn, hk } = nzh;
console.log(cn.decodeS('两万三千'), cn.decodeS('两百零五'), hk.decodeS('兩千'), cn.decodeS('二零二六'), cn.decodeS('二万三千'), cn.decodeS('你好'));
")
pypi=$(python/bin/python -c "
import cn2an
numbers = [cn2an.cn2an(text, 'smart') for text in ('两万三千', '两百零五', '兩千', '二零二六', '二万三千')]
try:
    cn2an.cn2an('你好', 'smart')
except ValueError:
    print(*numbers, 'refused')
")
echo "两万三千 两百零五 兩千 二零二六 二万三千 你好"
echo "nzh:   $npm"
echo "cn2an: $pypi"
[ "$npm" = '3000 5 0 226 23000 0' ] || { echo 'nzh behaves differently now'; exit 1; }
[ "$pypi" = '23000 205 2000 2026 23000 refused' ] || { echo 'cn2an behaves differently now'; exit 1; }
echo 'as described'
