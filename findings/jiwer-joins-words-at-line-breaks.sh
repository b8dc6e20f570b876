#!/bin/sh
# Guess: jiwer splits a transcript into words wherever it has white space, as `str.split` does, so a transcript that is
# wrapped into lines has the error rate of the same words in one line.
# Seen with jiwer 4.0.0 (PyPI): only spaces part words. A line break, a tab or the full-width space of Chinese joins its
# two neighbours: three right words in three lines are one word with three errors, 300 %. Two line breaks in
# a row do part words, as runs of white space become a space first. No warning is given. werpy 3.2.0 (PyPI)
# gives 0 in each case.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet jiwer==4.0.0 werpy==3.2.0
cat > try.py <<'END'
import jiwer
import werpy

CASES = {'space': ' ', 'two spaces': '  ', 'line break': '\n', 'two line breaks': '\n\n', 'tab': '\t', 'full-width space': '\u3000'}
seen = {}
for name, gap in CASES.items():
    reference, hypothesis = gap.join(('ngo5', 'sik6', 'faan6')), 'ngo5 sik6 faan6'
    seen[name] = (jiwer.wer(reference, hypothesis), werpy.wer(reference, hypothesis))
    print(f'{name}: jiwer {seen[name][0]:.0%}, werpy {seen[name][1]:.0%}')
joined = {'line break', 'tab', 'full-width space'}
if any(rates != (3.0 if name in joined else 0.0, 0.0) for name, rates in seen.items()):
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
