#!/bin/sh
# Guess: pyannote.database reads each name in RTTM as a text, so a speaker called NA, as of initials, or None (the
# field was empty in what wrote the file) is one of its own.
# Seen with pyannote.database 6.1.1 (PyPI): pandas reads the names, so NA, None, null and nan all become the number
# NaN. Speakers of these names are one from then on, and a recording called NA is missing altogether, without a word,
# in `load_uem` too. An error rate is then that of the other recordings, and of fewer speakers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile pyannote.database==6.1.1
cat > try.py <<'END'
from pyannote.database.util import load_rttm, load_uem

TURNS = [('first', 0, 'NA'), ('first', 5, 'None'), ('first', 10, 'Ng'), ('NA', 0, 'A'), ('second', 0, 'A')]
with open('turns.rttm', 'w') as file:
    file.writelines(f'SPEAKER {name} 1 {begin} 5 <NA> <NA> {speaker} <NA> <NA>\n' for name, begin, speaker in TURNS)
with open('regions.uem', 'w') as file:
    file.writelines(f'{name} 1 0 15\n' for name in ('first', 'NA'))
for name, turns in load_rttm('turns.rttm').items():
    print(f'{name}:', sorted(str(label) for label in turns.labels()))
print('regions of', [str(name) for name in load_uem('regions.uem')])
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
first: ['Ng', 'nan']
second: ['A']
regions of ['first']
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
