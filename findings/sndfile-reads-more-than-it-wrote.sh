#!/bin/sh
# Guess: a WAV file of IMA or MS ADPCM or GSM gives back as many samples as were written: the codec fills
# whole blocks, and the `fact` chunk of such files is there to tell how many samples are meant.
# Seen with soundfile 0.14.0 (libsndfile) and imageio-ffmpeg 0.8.1 with FFmpeg 9.0.2 (both PyPI): of 19,752
# samples that libsndfile wrote, and stated in `fact`, it reads 20,240 (MS ADPCM) and 19,840 (GSM), and so
# does FFmpeg, which also reads too much of what itself wrote. Both pass the rest of the last block on as
# sound. For IMA ADPCM libsndfile states whole blocks in `fact` as well. GSM in AIFF comes back whole from
# libsndfile, not from FFmpeg. Pieces of a call that are decoded and joined so get later by up to 40 ms each.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import numpy
import soundfile

WRITTEN = 19_752
ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
tone = 0.3 * numpy.sin(numpy.arange(WRITTEN) / 5)


def stated(path):
    data = open(path, 'rb').read()
    at = data.find(b'fact')
    return None if at < 0 else int.from_bytes(data[at + 8:at + 12], 'little')


def lengths(path):
    decoded = subprocess.run([ffmpeg, '-v', 'error', '-i', path, '-f', 's16le', '-'], capture_output=True, check=True)
    return stated(path), len(soundfile.read(path)[0]), len(decoded.stdout) // 2


seen = {}
for subtype, rate in (('MS_ADPCM', 16_000), ('GSM610', 8_000), ('IMA_ADPCM', 16_000)):
    soundfile.write('written.wav', tone, rate, subtype=subtype)
    seen[f'libsndfile {subtype}'] = lengths('written.wav')
soundfile.write('plain.wav', tone, 16_000)
for codec in ('adpcm_ms', 'adpcm_ima_wav'):
    subprocess.run([ffmpeg, '-v', 'error', '-y', '-i', 'plain.wav', '-c:a', codec, 'written.wav'], check=True)
    seen[f'FFmpeg {codec}'] = lengths('written.wav')
soundfile.write('written.aiff', tone, 8_000, subtype='GSM610')
seen['libsndfile GSM610 in AIFF'] = lengths('written.aiff')
for name, (fact, sndfile, from_ffmpeg) in seen.items():
    print(f'{WRITTEN} samples by {name}: fact {fact}, libsndfile reads {sndfile}, FFmpeg {from_ffmpeg}')
expected = [
    (19_752, 20_240, 20_240),
    (19_752, 19_840, 19_840),
    (20_340, 20_340, 20_340),
    (19_752, 20_360, 20_360),
    (19_752, 20_410, 20_410),
    (None, 19_752, 19_840),
]
if list(seen.values()) != expected:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
