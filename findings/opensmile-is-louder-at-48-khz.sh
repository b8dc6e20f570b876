#!/bin/sh
# Guess: eGeMAPS of openSMILE, a usual set of features of a voice, has about the same loudness for one recording at 16
# kHz and at 48 kHz where nothing is above 4 kHz; like the pitch it is a property of the voice.
# Seen with opensmile 2.6.0 and audresample 1.3.6 (PyPI): loudness is 1.8 times and spectral flux 3 times as much at
# 48 kHz as at 16 kHz, and less again at 8 kHz; the pitch is the same. So voices from a phone, a browser and a corpus
# differ by the rate of their files, and no message says so. With `sampling_rate=16000, resample=True` all agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile opensmile==2.6.0 audresample==1.3.6
cat > try.py <<'END'
import numpy
import opensmile

FEATURES = {
    'loudness': 'loudness_sma3_amean',
    'spectral flux': 'spectralFlux_sma3_amean',
    'pitch': 'F0semitoneFrom27.5Hz_sma3nz_amean',
}


def voice(rate):
    time = numpy.arange(3 * rate) / rate
    phase = 2 * numpy.pi * numpy.cumsum(140 + 10 * numpy.sin(2 * numpy.pi * 3 * time)) / rate
    tones = sum(numpy.sin(phase * number) / number for number in range(1, 24))
    return (0.1 * tones * (0.6 + 0.4 * numpy.sin(2 * numpy.pi * 1.3 * time))).astype('float32')


kind = {'feature_set': opensmile.FeatureSet.eGeMAPSv02, 'feature_level': opensmile.FeatureLevel.Functionals}
ways = {'as it is': opensmile.Smile(**kind), 'resampled': opensmile.Smile(**kind, sampling_rate=16_000, resample=True)}
for way, smile in ways.items():
    rows = {rate: smile.process_signal(voice(rate), rate).iloc[0] for rate in (8_000, 16_000, 48_000)}
    for name, feature in FEATURES.items():
        print(f'{way}, {name}:', ', '.join(f'{rate} Hz {row[feature] / rows[16_000][feature]:.1f}' for rate, row in rows.items()))
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
as it is, loudness: 8000 Hz 0.7, 16000 Hz 1.0, 48000 Hz 1.8
as it is, spectral flux: 8000 Hz 0.6, 16000 Hz 1.0, 48000 Hz 3.0
as it is, pitch: 8000 Hz 1.0, 16000 Hz 1.0, 48000 Hz 1.0
resampled, loudness: 8000 Hz 1.0, 16000 Hz 1.0, 48000 Hz 1.0
resampled, spectral flux: 8000 Hz 1.0, 16000 Hz 1.0, 48000 Hz 1.0
resampled, pitch: 8000 Hz 1.0, 16000 Hz 1.0, 48000 Hz 1.0
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
