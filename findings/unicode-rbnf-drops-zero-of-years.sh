#!/bin/sh
# Guess: unicode-rbnf, which spells numbers by the rules of CLDR and is made for speech (Piper and Home Assistant), spells
# the year 2026 in Chinese as CLDR does: 二〇二六 or 二零二六.
# Seen with unicode-rbnf 2.4.1 (PyPI): each zero is lost, in `zh`, `zh_Hant`, `yue` and `ja`: 2026 is 二二六, as 226 would
# be, and 2003 and 2030 are both 二三. 1997 is right: 一九九七. Spelt as a number 2026 is right too: 二千零二十六.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet unicode-rbnf==2.4.1
cat > try.py <<'END'
from unicode_rbnf import FormatPurpose, RbnfEngine

for language in ('zh', 'zh_Hant', 'yue', 'ja'):
    engine = RbnfEngine.for_language(language)
    years = [engine.format_number(year, FormatPurpose.YEAR).text for year in (1997, 2003, 2026, 2030)]
    print(f'{language}: {" ".join(years)}; the number {engine.format_number(2026).text}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
zh: 一九九七 二三 二二六 二三; the number 二千〇二十六
zh_Hant: 一九九七 二三 二二六 二三; the number 二千零二十六
yue: 一九九七 二三 二二六 二三; the number 二千零二十六
ja: 一九九七 二三 二二六 二三; the number 二千二十六
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
