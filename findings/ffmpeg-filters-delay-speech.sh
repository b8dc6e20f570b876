#!/bin/sh
# Guess: filters of FFmpeg that reduce noise or shape the sound leave it where it was in time, since they make up
# for what they look ahead, as `loudnorm`, `afwtdn` and `rubberband` do.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: a click at one second is later by 25 ms after
# `afftdn`, the usual filter against noise; at 16 kHz by 96 ms after `dialoguenhance`, made for speech, by 128
# after `surround`, 192 after `afftfilt` and 256 after `superequalizer`, at 48 kHz by a third of that. The
# length stays the same, so as much is missing at the end, and the timestamps tell nothing. A last
# word is cut, and captions made of the filtered sound come late in the video that has the plain one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import array
import itertools
import math
import random
import subprocess
import imageio_ffmpeg

CHANCE = random.Random(1)
CLICK_MS = 1_002.5
# The channel of the result that has the voice.
FILTERS = {
    'loudnorm': 0, 'afwtdn': 0, 'dynaudnorm': 0, 'rubberband': 0,
    'afftdn': 0, 'dialoguenhance': 2, 'surround': 2, 'afftfilt': 0, 'superequalizer': 0,
}


def filtered(name, rate, channel):
    sound = array.array('f', (CHANCE.gauss(0, 0.002) for _ in range(3 * rate)))
    # Five milliseconds of a tone of 1 kHz, louder towards its middle.
    length = rate // 200
    for at in range(length):
        loudness = 0.7 * math.sin(math.pi * at / length) ** 2
        sound[rate + at] += loudness * math.sin(2_000 * math.pi * at / rate)
    source = ['-f', 'f32le', '-ar', str(rate), '-ac', '1', '-i', '-']
    result = ['-af', f'{name},aresample={rate},pan=mono|c0=c{channel}', '-f', 'f32le', '-']
    run = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', *source, *result]
    return array.array('f', subprocess.run(run, input=sound.tobytes(), capture_output=True, check=True).stdout)


def delay_ms(name, rate, channel):
    sound = filtered(name, rate, channel)
    if abs(len(sound) - 3 * rate) > rate // 40:
        raise SystemExit(f'{name} changes the length now: {len(sound)}')
    energy = [0, *itertools.accumulate(value * value for value in sound)]
    window = rate // 200
    loudest = max(range(len(energy) - window), key=lambda at: energy[at + window] - energy[at])
    return 1_000 * (loudest + window / 2) / rate - CLICK_MS


seen = {}
for name, channel in FILTERS.items():
    seen[name] = [round(delay_ms(name, rate, channel)) for rate in (16_000, 48_000)]
    print(f'{name}: {seen[name][0]} ms later at 16 kHz, {seen[name][1]} ms at 48 kHz')
expected = {
    'afftdn': (25, 25), 'dialoguenhance': (96, 32), 'surround': (128, 43), 'afftfilt': (192, 64), 'superequalizer': (256, 85),
}
for name, delays in seen.items():
    if any(abs(delay - usual) > 3 for delay, usual in zip(delays, expected.get(name, (0, 0)))):
        raise SystemExit(f'{name} behaves differently now')
END
python/bin/python try.py
echo 'as described'
