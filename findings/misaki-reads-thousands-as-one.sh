#!/bin/sh
# Guess: misaki, which makes the Chinese sounds for Kokoro, reads 12,500元 as one amount, 3-5年 as a range and 3:30 as a time.
# Seen with misaki 0.9.4 with cn2an 0.5.24 (PyPI): 12,500元 is 十二，五百元, twelve, a pause and five hundred. 3-5年 is
# 三負五年, three minus five years, though 10-20元 is right, and 2026-11-30 is 2026, minus eleven, minus thirty. Of 3:30 the
# colon stays as a pause, with no word for the hour. A number too large by far or with the wrong sign sounds as natural as the
# right one, so nobody hears that it is one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile 'misaki[zh]==0.9.4' cn2an==0.5.24 jieba==0.42.1 pypinyin==0.55.0
cat > try.py <<'END'
from misaki.zh import ZHG2P

READINGS = {
    '12500元': ('一万二千五百元',),
    '12,500元': ('十二,五百元', '一万二千五百元'),
    '10-20元': ('十到二十元',),
    '3-5年': ('三负五年', '三到五年'),
    '2026-11-30': ('二千零二十六负十一负三十', '二零二六年十一月三十日'),
    '下午3:30': ('下午三:三十', '下午三点三十分'),
}
sound = ZHG2P()
for text, readings in READINGS.items():
    found = [reading for reading in readings if ''.join(sound(reading)[0].split()) == ''.join(sound(text)[0].split())]
    print(f'{text}: {found}')
END
TMPDIR=$folder python/bin/python -W ignore try.py 2> log > seen || cat log
cat seen
cat > expected <<'END'
12500元: ['一万二千五百元']
12,500元: ['十二,五百元']
10-20元: ['十到二十元']
3-5年: ['三负五年']
2026-11-30: ['二千零二十六负十一负三十']
下午3:30: ['下午三:三十']
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
