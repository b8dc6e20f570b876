#!/bin/sh
# Guess: whisper-normalizer, which makes texts of English alike before their error rate is counted, makes `101` of "a hundred
# and one" as of "one hundred and one", and keeps apart what are other numbers.
# Seen with whisper-normalizer 0.1.15 (PyPI): "a hundred and one" becomes `a 101` and "a million dollars" `a $1000000`, so a
# recognizer that writes 101 has an error for each such number. "five o'clock" becomes `50 clock`, and of "and a half"
# nothing is left. "one two three" and "one hundred twenty three" are both `123`, so there an error is hidden. Many
# published rates of English recognizers were counted behind these rules.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet whisper-normalizer==0.1.15
cat > try.py <<'END'
from whisper_normalizer.english import EnglishTextNormalizer

TEXTS = (
    'one hundred and one', 'a hundred and one', 'one million dollars', 'a million dollars',
    'one two three', 'one hundred twenty three', "five o'clock", 'and a half', 'two and a half',
)
normalize = EnglishTextNormalizer()
for text in TEXTS:
    print(f'{text}: {normalize(text)!r}')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
one hundred and one: '101'
a hundred and one: 'a 101'
one million dollars: '$1000000'
a million dollars: 'a $1000000'
one two three: '123'
one hundred twenty three: '123'
five o'clock: '50 clock'
and a half: ''
two and a half: '2.5'
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
