#!/bin/sh
# Guess: G.721, the telephone codec of 32 kbit/s, is one codec: what soundfile (libsndfile) writes of it in AU, FFmpeg
# and SoX decode to the same speech, and the other way round.
# Seen with soundfile 0.14.0 (PyPI, libsndfile 1.2.2), FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI) and SoX 14.4.2: each
# decodes what itself wrote with 45 dB between a tone and the noise, and SoX what FFmpeg wrote with more than 30.
# Between soundfile and either of them about 10 dB are left, in both directions, without an error: it sounds like a bad
# telephone line.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import numpy
import soundfile

RATE = 8_000
FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error']
tone = 0.2 * numpy.sin(2 * numpy.pi * 300 * numpy.arange(2 * RATE) / RATE)
soundfile.write('tone.wav', tone, RATE, subtype='PCM_16')
soundfile.write('soundfile.au', tone, RATE, format='AU', subtype='G721_32')
subprocess.run([*FFMPEG, '-i', 'tone.wav', '-c:a', 'adpcm_g726le', '-b:a', '32k', 'ffmpeg.au'], check=True)


def decoded(command):
    sound = subprocess.run(command, capture_output=True, check=True).stdout
    return numpy.frombuffer(sound, '<i2') / 32768


def above_noise(sound):
    # Without the beginning, where every codec of this kind still adapts.
    heard, meant = sound[800:len(tone)], tone[800:len(sound)]
    return 10 * numpy.log10((meant ** 2).mean() / ((heard - meant) ** 2).mean())


for writer in ('soundfile', 'ffmpeg'):
    path = f'{writer}.au'
    seen = {
        'soundfile': above_noise(soundfile.read(path)[0]),
        'FFmpeg': above_noise(decoded([*FFMPEG, '-i', path, '-f', 's16le', '-'])),
        'SoX': above_noise(decoded(['sox', path, '-t', 's16', '-'])),
    }
    print(f'written by {writer}:', ', '.join(f'{reader} {value:.0f} dB' for reader, value in seen.items()))
    good = {'soundfile'} if writer == 'soundfile' else {'FFmpeg', 'SoX'}
    if any((value > 30) != (reader in good) or (reader not in good and value > 15) for reader, value in seen.items()):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
