#!/bin/sh
# Guess: `alpha2digit` of text2num, which writes the numbers of English transcripts as digits, writes 1999 for nineteen ninety
# nine and 1200000 for one point two million; what it does not know, such as half a million, it leaves as it is.
# Seen with text2num 3.1.0 (PyPI): parts of an amount become numbers of their own: "half a million" is "half a 1000000", "one
# point two million" is "1.2 1000000", and "hundreds of people" is "100 of people". Years as people say them are two numbers,
# "19 99" and "20 26", so that a search for 2026 finds none. Amounts that are whole and begin with a number are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile text2num==3.1.0
cat > try.py <<'END'
from text_to_num import alpha2digit

for text in (
    'two and a half million people',
    'half a million',
    'a thousand two hundred',
    'hundreds of people',
    'nineteen ninety nine',
    'twenty twenty six',
    'two thousand and twenty six',
    'one thousand two hundred',
    'one point two million',
):
    print(f'{text}: {alpha2digit(text, "en")}')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
two and a half million people: two and a half 1000000 people
half a million: half a 1000000
a thousand two hundred: a 1200
hundreds of people: 100 of people
nineteen ninety nine: 19 99
twenty twenty six: 20 26
two thousand and twenty six: 2026
one thousand two hundred: 1200
one point two million: 1.2 1000000
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
