#!/bin/sh
# Guess: the transforms of pipecat that write prices, percentages and units as words for a voice read $1.5 million,
# HK$50 and 1,000% as a person would, or leave them.
# Seen with pipecat-ai 1.14.0 and num2words 0.5.14 (PyPI): $1.5 million is "one dollar and fifty cents million", HK$50
# "HKfifty dollars", 1,000% "1,zero percent", 50-60% "50-sixty percent", $10-15 "ten dollars-15" and 5G "5 grams".
# Numbers are found in pieces, whatever stands around them. A voice says so without anything to see. Plain prices such
# as $1,234.50 are right, so a first try finds nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile pipecat-ai==1.14.0 num2words==0.5.14
cat > try.py <<'END'
import asyncio

from loguru import logger

logger.remove()

from pipecat.utils.text.transforms.currency import expand_currency
from pipecat.utils.text.transforms.percentages import expand_percentages
from pipecat.utils.text.transforms.units import expand_units

TEXTS = {
    expand_currency: ('$1,234.50', '$1.5 million', 'US$2 billion', 'HK$50', '$10-15'),
    expand_percentages: ('50%', '1,000%', '50-60%'),
    expand_units: ('5km', 'a 5G phone'),
}


async def main():
    for transform, texts in TEXTS.items():
        for text in texts:
            print(f'{text}: {await transform(text, "sentence")}')


asyncio.run(main())
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
$1,234.50: one thousand, two hundred and thirty-four dollars and fifty cents
$1.5 million: one dollar and fifty cents million
US$2 billion: UStwo dollars billion
HK$50: HKfifty dollars
$10-15: ten dollars-15
50%: fifty percent
1,000%: 1,zero percent
50-60%: 50-sixty percent
5km: 5 kilometers
a 5G phone: a 5 grams phone
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
