#!/bin/sh
# Guess: MediaInfo, which archives ask for the length of any recording, knows it for sound without compression in CAF, the
# format of Apple's recorders, and in AU, as for WAV and AIFF.
# Seen with pymediainfo 7.0.1 (PyPI), which brings MediaInfo 24.12, on files that soundfile 0.14.0 wrote: a CAF file of any
# length counts as its first 65,400 bytes: a minute of 16 bits at 16 kHz is 2 s, and so is an hour. AU counts as
# if each sample had one byte: a minute of 16 bits is two, and of floating point four. No field says that
# the length is uncertain.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pymediainfo==7.0.1 soundfile==0.14.0 numpy==2.4.6
cat > try.py <<'END'
import numpy
import pymediainfo
import soundfile


def length(name, seconds, kind):
    soundfile.write(name, numpy.zeros(16_000 * seconds, dtype='i2'), 16_000, subtype=kind)
    [track] = pymediainfo.MediaInfo.parse(name).audio_tracks
    return f'{name} of {seconds} s in {kind}: {track.duration} ms'


for name in ('sound.wav', 'sound.aiff', 'sound.caf', 'sound.au'):
    for kind in ('PCM_16', 'FLOAT'):
        print(length(name, 60, kind))
print(length('sound.caf', 3_600, 'PCM_16'))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
sound.wav of 60 s in PCM_16: 60000 ms
sound.wav of 60 s in FLOAT: 60000 ms
sound.aiff of 60 s in PCM_16: 60000 ms
sound.aiff of 60 s in FLOAT: 60000 ms
sound.caf of 60 s in PCM_16: 1920 ms
sound.caf of 60 s in FLOAT: 960 ms
sound.au of 60 s in PCM_16: 120000 ms
sound.au of 60 s in FLOAT: 240000 ms
sound.caf of 3600 s in PCM_16: 1920 ms
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
