#!/bin/sh
# Guess: `soundfile.read` gives the whole of an MP3 file, as a decoder does that goes from frame to frame; where
# the file does not state its length, only `info` can be wrong.
# Seen with soundfile 0.14.0 (libsndfile with mpg123), miniaudio 1.71 and imageio-ffmpeg 0.8.1 with FFmpeg
# 9.0.2 (all PyPI): of a minute with a varying bit rate and without the optional Xing header 24 s are
# read, and no error is raised. The length is guessed from the rate of the first frames, and reading stops there:
# a recording that begins with speech and has pauses is cut in the middle, one that begins quietly is whole.
# FFmpeg and miniaudio read the minute; with the header, or a constant rate, all do. Streams that were recorded
# have no such header.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 miniaudio==1.71 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess
import imageio_ffmpeg
import miniaudio
import numpy
import soundfile

RATE_HZ = 16_000
LENGTH_S = 60
noise = 0.2 * numpy.random.default_rng(0).standard_normal(LENGTH_S * RATE_HZ)
is_spoken = numpy.arange(LENGTH_S * RATE_HZ) % RATE_HZ < RATE_HZ // 2
sounds = {'speech first': noise * is_spoken, 'quiet first': noise * ~is_spoken}
options = {
    'varying, without header': ['-q:a', '4', '-write_xing', '0'],
    'varying, with header': ['-q:a', '4'],
    'constant, without header': ['-b:a', '32k', '-write_xing', '0'],
}


def ffmpeg(*arguments):
    return subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y', *arguments], capture_output=True, check=True)


seen = {}
for name, sound in sounds.items():
    soundfile.write('sound.wav', sound, RATE_HZ)
    for kind, encoding in options.items():
        ffmpeg('-i', 'sound.wav', '-c:a', 'libmp3lame', *encoding, 'sound.mp3')
        lengths = {
            'soundfile': len(soundfile.read('sound.mp3')[0]),
            'miniaudio': miniaudio.decode_file('sound.mp3', nchannels=1, sample_rate=RATE_HZ).num_frames,
            'FFmpeg': len(ffmpeg('-i', 'sound.mp3', '-f', 's16le', '-').stdout) // 2,
        }
        seen[name, kind] = {reader: round(samples / RATE_HZ) for reader, samples in lengths.items()}
        print(f'{name}, {kind}, seconds read:', seen[name, kind])
for (name, kind), lengths in seen.items():
    is_cut = (name, kind) == ('speech first', 'varying, without header')
    whole = dict.fromkeys(lengths, LENGTH_S)
    if lengths != (whole | {'soundfile': 24} if is_cut else whole):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
