#!/bin/sh
# Guess: soundfile cuts samples above 1.0 off at full scale in whatever kind of file it writes, as it does for PCM.
# Seen with soundfile 0.14.0 (PyPI), which brings libsndfile: for ADPCM, GSM, G.721, G.723, NMS and Vox it does not.
# What is 1.2 becomes about -0.8, so a loud vowel gets cracks of nearly twice full scale, half of its loud samples here.
# PCM, A-law, u-law, FLAC and ALAC are cut off. A resampler or a filter overshoots 1.0 at every loud place, and these
# are the kinds that telephone systems take their announcements in.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6
cat > try.py <<'END'
import numpy
import soundfile

KINDS = [
    ('WAV', 'PCM_16'), ('WAV', 'ULAW'), ('WAV', 'ALAW'), ('FLAC', 'PCM_16'), ('CAF', 'ALAC_16'),
    ('WAV', 'IMA_ADPCM'), ('WAV', 'MS_ADPCM'), ('WAV', 'GSM610'), ('WAV', 'G721_32'), ('WAV', 'NMS_ADPCM_32'),
    ('AU', 'G723_24'), ('RAW', 'VOX_ADPCM'),
]
sound = 1.2 * numpy.sin(2 * numpy.pi * 200 * numpy.arange(8_000) / 8_000)
is_loud = numpy.abs(sound) > 0.7
for container, kind in KINDS:
    soundfile.write('loud', sound, 8_000, subtype=kind, format=container)
    options = {'samplerate': 8_000, 'channels': 1, 'subtype': kind, 'format': 'RAW'} if container == 'RAW' else {}
    stored = soundfile.read('loud', **options)[0][: len(sound)]
    turned = numpy.sum(is_loud & (sound * stored < 0) & (numpy.abs(stored) > 0.3)) / numpy.sum(is_loud)
    print(f'{container} {kind}: {turned:.0%} of the loud samples have the wrong sign')
    is_safe = kind in ('PCM_16', 'ULAW', 'ALAW', 'ALAC_16')
    if (is_safe and turned > 0) or (not is_safe and turned < 0.2):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
