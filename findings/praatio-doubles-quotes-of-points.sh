#!/bin/sh
# Guess: praatio reads a quotation mark in a label of a TextGrid, which the format writes twice, as one, in whichever
# tier of a file that Praat wrote.
# Seen with praatio 6.2.2 and praat-parselmouth 0.4.7 (PyPI), which brings Praat: in intervals, and in the short
# format, it does; in a point of the usual long format 點"1" is read as 點""1"". Written again it has four in the
# file, and each pass doubles them. TextGrid 1.6.1 and pympi-ling 1.71 read one. The short format of Praat gives
# the same label right, so two copies of one annotation differ.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet praatio==6.2.2 praat-parselmouth==0.4.7 textgrid==1.6.1 pympi-ling==1.71 numpy==2.4.6
cat > try.py <<'END'
import parselmouth
import pympi
import textgrid
from praatio import textgrid as praatio

LABEL = '點"1"'
annotation = parselmouth.praat.call('Create TextGrid', 0, 3, 'words points', 'points')
parselmouth.praat.call(annotation, 'Set interval text', 1, 1, LABEL)
parselmouth.praat.call(annotation, 'Insert point', 2, 1.5, LABEL)
parselmouth.praat.call(annotation, 'Save as text file', 'long.TextGrid')
parselmouth.praat.call(annotation, 'Save as short text file', 'short.TextGrid')


def labels(path):
    return [tier.entries[0].label for tier in praatio.openTextgrid(path, includeEmptyIntervals=True).tiers]


praatio.openTextgrid('long.TextGrid', includeEmptyIntervals=True).save('again.TextGrid', 'long_textgrid', True)
seen = {f'praatio, {name}': labels(f'{name}.TextGrid') for name in ('long', 'short', 'again')}
seen['TextGrid'] = [tier[0].mark for tier in textgrid.TextGrid.fromFile('long.TextGrid')]
seen['pympi'] = [next(iter(tier.get_intervals()))[-1] for tier in pympi.Praat.TextGrid('long.TextGrid', codec='utf-16').get_tiers()]
for name, read in seen.items():
    print(f'{name}: interval {read[0]}, point {read[1]}')
expected = [[LABEL, '點""1""'], [LABEL, LABEL], [LABEL, '點""""1""""'], [LABEL, LABEL], [LABEL, LABEL]]
if list(seen.values()) != expected:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
