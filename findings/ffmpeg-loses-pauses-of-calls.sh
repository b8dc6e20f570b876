#!/bin/sh
# Guess: a recording of a call in WebM, in which a browser left the packets of silence out, becomes WAV, MP3 or M4A of the
# length that FFmpeg itself states for it.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: of 30 s with a pause of 24 s, stated as 30.0 s, WAV, MP3 and
# FLAC have 7.3 s, and what follows the pause comes 22.7 s early. M4A states 30 s and decodes to 7.3. As Ogg, copied
# without a change, soundfile 0.14.0 (PyPI) states 30 s too and reads 7.3. No message tells. The filter
# `aresample=async=1` fills the pause; nothing of it is on by itself, though the times are in the file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 av==18.1.0 soundfile==0.14.0 numpy==2.4.6
cat > try.py <<'END'
import re
import subprocess

import av
import imageio_ffmpeg
import numpy
import soundfile

FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), '-y']
RATE = 48_000


def ffmpeg(*options, sound=None):
    return subprocess.run([*FFMPEG, '-v', 'error', *options], input=sound, capture_output=True, check=True).stdout


def describe(path):
    about = subprocess.run([*FFMPEG, '-i', path], capture_output=True, text=True).stderr
    [seconds] = re.findall(r'Duration: 00:00:(\d\d\.\d)', about)
    return f'stated {seconds} s, decoded {len(ffmpeg("-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-")) / 4 / RATE:.1f} s'


chance = numpy.random.default_rng(1)
voice = 0.1 * chance.standard_normal((2, 3 * RATE))
sound = numpy.concatenate([voice[0], numpy.zeros(24 * RATE), voice[1]]).astype('f4')
source = ['-f', 'f32le', '-ar', str(RATE), '-ac', '1', '-i', '-', '-c:a', 'libopus', '-application', 'voip', '-dtx', '1', '-b:a', '24k']
ffmpeg(*source, 'whole.webm', sound=sound.tobytes())
# A sender of WebRTC leaves out packets of one or two bytes; what records the call has no others.
with av.open('whole.webm') as whole, av.open('call.webm', 'w') as call:
    track = call.add_stream_from_template(whole.streams.audio[0])
    for packet in whole.demux(audio=0):
        if packet.dts is not None and packet.size > 3:
            packet.stream = track
            call.mux(packet)
print('call.webm:', describe('call.webm'))
for name in ('call.wav', 'call.mp3', 'call.flac', 'call.m4a'):
    ffmpeg('-i', 'call.webm', name)
    print(f'{name}:', describe(name))
ffmpeg('-i', 'call.webm', '-af', 'aresample=async=1', 'filled.wav')
print('filled.wav:', describe('filled.wav'))
ffmpeg('-i', 'call.webm', '-c', 'copy', 'call.ogg')
read, _ = soundfile.read('call.ogg')
print(f'call.ogg in soundfile: stated {soundfile.info("call.ogg").duration:.1f} s, read {len(read) / RATE:.1f} s')
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
call.webm: stated 30.0 s, decoded 7.3 s
call.wav: stated 07.3 s, decoded 7.3 s
call.mp3: stated 07.3 s, decoded 7.3 s
call.flac: stated 07.3 s, decoded 7.3 s
call.m4a: stated 30.0 s, decoded 7.3 s
filled.wav: stated 30.0 s, decoded 30.0 s
call.ogg in soundfile: stated 30.0 s, read 7.3 s
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
