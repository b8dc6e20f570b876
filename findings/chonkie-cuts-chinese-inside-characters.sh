#!/bin/sh
# Guess: the chunkers of chonkie cut Chinese text between characters, at 。 where they look for sentences, and keep to
# `chunk_size`.
# Seen with chonkie 1.7.0 (PyPI): `FastChunker` counts bytes and cuts inside a character where no delimiter is near, which
# raises a UnicodeDecodeError, also with the default size of 4,096 and with 。 among its delimiters. English passes every
# test. `SentenceChunker` takes . ! ? with a space after them and line breaks for ends of sentences, and one sentence is
# never cut: a Chinese article of 18,000 characters is one chunk, whatever the size, so that a model reads its first part.
# With 。 among `delim` it does as guessed. `RecursiveChunker` keeps to the size.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile chonkie==1.7.0
cat > try.py <<'END'
from chonkie import FastChunker, RecursiveChunker, SentenceChunker

CHINESE = '今日天氣好好，我哋去咗大埔墟食早餐。' * 1000
ENGLISH = 'The weather is fine today. ' * 1000
CHUNKERS = {
    'FastChunker': FastChunker(),
    'FastChunker at 。': FastChunker(delimiters='。！？'),
    'SentenceChunker of 100': SentenceChunker('character', chunk_size=100, chunk_overlap=0),
    'SentenceChunker of 100 at 。': SentenceChunker('character', chunk_size=100, chunk_overlap=0, delim=['。', '！', '？']),
    'RecursiveChunker of 100': RecursiveChunker('character', chunk_size=100),
}
for name, chunker in CHUNKERS.items():
    for language, text in (('Chinese', CHINESE), ('English', ENGLISH)):
        try:
            longest = max(len(chunk.text) for chunk in chunker(text))
            print(f'{name}, {language}: longest {longest}')
        except UnicodeDecodeError:
            print(f'{name}, {language}: UnicodeDecodeError')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
FastChunker, Chinese: UnicodeDecodeError
FastChunker, English: longest 4077
FastChunker at 。, Chinese: UnicodeDecodeError
FastChunker at 。, English: longest 4096
SentenceChunker of 100, Chinese: longest 18000
SentenceChunker of 100, English: longest 81
SentenceChunker of 100 at 。, Chinese: longest 90
SentenceChunker of 100 at 。, English: longest 27000
RecursiveChunker of 100, Chinese: longest 100
RecursiveChunker of 100, English: longest 81
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
