#!/bin/sh
# Guess: canto-hk-g2p, which makes Jyutping of Hong Kong text for synthesis, reads 下午5:30 as a time of day, five o'clock and
# thirty minutes, and a ratio such as 2:1 as 二比一.
# Seen with canto-hk-g2p 2.6.1 (PyPI): each time is a ratio: 下午5:30 is haa6 ng5 ng5 bei2 saam1 sap6, five to thirty, also
# with pm and in 10:00-18:00, where the minutes :00 become zero. 5點30分 is right. A voice that speaks it announces the bus of
# 9:15 as 九比十五.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet canto-hk-g2p==2.6.1
cat > try.py <<'END'
from canto_hk_g2p import Pipeline

pipeline = Pipeline()
for text in ('比數2:1', '下午5:30', '5:30pm', '巴士9:15開', '10:00-18:00', '5點30分'):
    print(f'{text}: {pipeline.convert(text)}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
比數2:1: bei2 sou3 ji6 bei2 jat1
下午5:30: haa6 ng5 ng5 bei2 saam1 sap6
5:30pm: ng5 bei2 saam1 sap6 pm
巴士9:15開: baa1 si2 gau2 bei2 sap6 ng5 hoi1
10:00-18:00: sap6 bei2 ling4 - sap6 baat3 bei2 ling4
5點30分: ng5 dim2 saam1 sap6 fan1
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
