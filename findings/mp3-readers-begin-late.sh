#!/bin/sh
# Guess: an MP3 of one recording begins at the same sample in each program. Encoders write how much they put before and
# behind the sound, and soundfile and FFmpeg leave that out to the sample.
# Seen with praat-parselmouth 0.4.7, which is Praat, and pedalboard 0.9.26 (PyPI): both leave the silence before the sound in,
# 66 or 69 ms at 16 kHz and 132 or 138 ms at 8 kHz, and the file is longer. miniaudio 1.71 is as exact as
# soundfile 0.14.0 and as FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI), which wrote it. Borders of words that were set in
# Praat are so later than those of the recognizer that read the same file, and a syllable is cut wrong.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet praat-parselmouth==0.4.7 pedalboard==0.9.26 miniaudio==1.71 soundfile==0.14.0 imageio-ffmpeg==0.8.1 numpy==2.4.6
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import miniaudio
import numpy
import parselmouth
import pedalboard.io
import soundfile

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-y']


def by_ffmpeg(path):
    return numpy.frombuffer(subprocess.run([*FFMPEG, '-i', path, '-f', 'f32le', '-'], capture_output=True, check=True).stdout, 'f4')


def by_pedalboard(path):
    with pedalboard.io.AudioFile(path) as file:
        return file.read(file.frames)[0]


READERS = {
    'soundfile': lambda path: soundfile.read(path)[0],
    'FFmpeg': by_ffmpeg,
    'miniaudio': lambda path: numpy.array(miniaudio.decode_file(path, nchannels=1, sample_rate=rate).samples),
    'Praat': lambda path: parselmouth.Sound(path).values[0],
    'pedalboard': by_pedalboard,
}
for rate, bits in ((8_000, '24k'), (16_000, '64k')):
    # A click at one second of four.
    sound = 1e-4 * numpy.random.default_rng(1).standard_normal(4 * rate)
    length = rate // 100
    click = 0.8 * numpy.hanning(length) * numpy.sin(2_000 * numpy.pi * numpy.arange(length) / rate)
    sound[rate - length // 2:rate - length // 2 + length] += click
    source = ['-f', 'f32le', '-ar', str(rate), '-ac', '1', '-i', '-', '-c:a', 'libmp3lame', '-b:a', bits, 'sound.mp3']
    subprocess.run([*FFMPEG, *source], input=sound.astype('f4').tobytes(), check=True)
    first = numpy.abs(sound).argmax()
    for name, read in READERS.items():
        samples = read('sound.mp3')
        late = round(1_000 * (int(numpy.abs(samples).argmax()) - first) / rate)
        print(f'{rate} Hz, {name}: {late} ms late, {round(1_000 * len(samples) / rate)} ms long')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
8000 Hz, soundfile: 0 ms late, 4000 ms long
8000 Hz, FFmpeg: 0 ms late, 4000 ms long
8000 Hz, miniaudio: 0 ms late, 4000 ms long
8000 Hz, Praat: 132 ms late, 4098 ms long
8000 Hz, pedalboard: 138 ms late, 4176 ms long
16000 Hz, soundfile: 0 ms late, 4000 ms long
16000 Hz, FFmpeg: 0 ms late, 4000 ms long
16000 Hz, miniaudio: 0 ms late, 4000 ms long
16000 Hz, Praat: 66 ms late, 4065 ms long
16000 Hz, pedalboard: 69 ms late, 4104 ms long
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
