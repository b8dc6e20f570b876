#!/bin/sh
# Guess: TER of sacrebleu with `asian_support` counts each Chinese character as a word, so that one wrong of six is 17 %.
# Seen with sacrebleu 2.6.0 (PyPI): it is 100 %. The option has no effect unless `normalized` is on as well, which is off by
# default; the description of the class says so, the help of `--ter-asian-support` and a warning do not. A sentence without
# spaces is one word, right or wrong as a whole, and the rate is that of sentences with an error. With both it is as guessed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile sacrebleu==2.6.0
cat > try.py <<'END'
import subprocess
import sys

from sacrebleu.metrics import TER

HEARD, SPOKEN = '今日好熱壞咗', '今日好凍壞咗'
for options in ({}, {'asian_support': True}, {'normalized': True}, {'normalized': True, 'asian_support': True}):
    print(f'{", ".join(options) or "no option"}: {TER(**options).corpus_score([HEARD], [[SPOKEN]]).score:.0f} %')
for name, text in (('heard', HEARD), ('spoken', SPOKEN)):
    with open(name, 'w') as file:
        file.write(text + '\n')
command = [sys.executable, '-m', 'sacrebleu', 'spoken', '-i', 'heard', '-m', 'ter', '--ter-asian-support', '--score-only']
print('command line:', subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip(), '%')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
no option: 100 %
asian_support: 100 %
normalized: 100 %
normalized, asian_support: 17 %
command line: 100.0 %
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
