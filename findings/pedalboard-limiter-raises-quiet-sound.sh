#!/bin/sh
# Guess: `Limiter` of pedalboard lowers what is above `threshold_db` and leaves the rest as it is.
# Seen with pedalboard 0.9.26 (PyPI): it adds gain until the threshold is at full scale, and more. With a threshold of -20 dB
# a tone of -40 dB comes out at -16.2 dB; with the threshold of -10 dB that is the default, at -26.3 dB. Whatever is above the
# threshold comes out near 0 dB, so the threshold is no limit of what goes out, and the noise between words is 14 to 24 dB
# louder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile pedalboard==0.9.26 numpy==2.4.6
cat > try.py <<'END'
import numpy
from pedalboard import Limiter

RATE = 16000
tone = numpy.sin(2 * numpy.pi * 200 * numpy.arange(2 * RATE) / RATE)
for threshold in (-20, -10, -1):
    for level in (-40, -6):
        sound = (10 ** (level / 20) * tone).astype('float32')
        limited = Limiter(threshold_db=threshold)(sound, RATE)[RATE:]
        print(f'threshold {threshold} dB, tone {level} dB: {20 * numpy.log10(numpy.abs(limited).max()):.0f} dB')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
threshold -20 dB, tone -40 dB: -16 dB
threshold -20 dB, tone -6 dB: 0 dB
threshold -10 dB, tone -40 dB: -26 dB
threshold -10 dB, tone -6 dB: 0 dB
threshold -1 dB, tone -40 dB: -35 dB
threshold -1 dB, tone -6 dB: -4 dB
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
