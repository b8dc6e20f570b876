#!/bin/sh
# Guess: `-ac 1` makes the mean of all channels of a WAV file that names no places for them, such as
# microphone arrays and field recorders write: each microphone counts.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: with 3, 6, 7 and 8 channels one of them
# is silent in the result, the third of 3 and the fourth of 6 to 8; with 16 there are five. FFmpeg takes
# the usual surround layout of as many channels ("Guessed Channel Layout: 5.1", a warning), and the place
# of the subwoofer weighs nothing, nor do places for which it has no rule. The others weigh unlike amounts.
# A person who speaks into that microphone alone is not in the recording. `pan=mono|c0=c0+c1+…` takes all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import array
import math
import subprocess
import wave
import imageio_ffmpeg

RATE_HZ = 16_000


def weight(channels, only):
    tone = [round(10_000 * math.sin(index / 5)) for index in range(RATE_HZ // 4)]
    samples = array.array('h', [value if channel == only else 0 for value in tone for channel in range(channels)])
    with wave.open('array.wav', 'wb') as file:
        file.setparams((channels, 2, RATE_HZ, 0, 'NONE', ''))
        file.writeframes(samples.tobytes())
    command = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'array.wav', '-ac', '1', '-f', 's16le', '-']
    mixed = array.array('h', subprocess.run(command, capture_output=True, check=True).stdout)
    return max(map(abs, mixed)) / 10_000


silent = {}
for channels in (2, 3, 4, 5, 6, 7, 8, 16):
    weights = [weight(channels, channel) for channel in range(channels)]
    silent[channels] = [channel + 1 for channel, value in enumerate(weights) if value == 0]
    print(f'{channels} channels weigh', ' '.join(f'{value:.2f}' for value in weights))
if silent != {2: [], 3: [3], 4: [], 5: [], 6: [4], 7: [4], 8: [4], 16: [4, 13, 14, 15, 16]}:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
