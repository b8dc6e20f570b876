#!/bin/sh
# Guess: `librosa.load` with `offset` and `duration` gives the samples between the two times, so that pieces of equal
# length that follow one another are the whole recording.
# Seen with librosa 0.11.0 (PyPI): it cuts the product of time and rate down: 0.7 s at 44.1 kHz is 30,869 samples,
# because the product is a hair below 30,870. Ten pieces of 0.7 s lack ten of the samples of seven seconds, one at each
# seam, where they then click.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet librosa==0.11.0 soundfile==0.14.0 numpy==2.4.6
cat > try.py <<'END'
import librosa
import numpy
import soundfile

RATE = 44_100
count = 7 * RATE
soundfile.write('count.wav', numpy.arange(count) / 2 ** 20, RATE, subtype='FLOAT')
pieces = [librosa.load('count.wav', sr=None, offset=index * 0.7, duration=0.7)[0] for index in range(10)]
print([len(piece) for piece in pieces])
given = set(numpy.round(numpy.concatenate(pieces) * 2 ** 20).astype(int).tolist())
print(f'{count - len(given)} of {count} samples are in no piece')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
[30869, 30869, 30869, 30869, 30869, 30869, 30869, 30869, 30869, 30869]
10 of 308700 samples are in no piece
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
