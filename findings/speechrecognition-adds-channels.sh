#!/bin/sh
# Guess: SpeechRecognition makes one channel of a stereo file as pydub, FFmpeg and SoX do, with the average of both.
# Seen with SpeechRecognition 3.17.0 and pydub 0.25.1 (PyPI): it adds the channels and cuts what is too loud. A voice
# in the middle of a normal recording at -4 dB has 39 % of its samples cut off; what is in one channel alone keeps
# its level. A recognizer so hears a distorted voice of a file in which nothing is distorted, and no message says so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet SpeechRecognition==3.17.0 pydub==0.25.1
cat > try.py <<'END'
import array
import math
import wave

import pydub
import speech_recognition

RATE = 16_000
tone = [round(20_000 * math.sin(index * 0.2)) for index in range(RATE)]
with wave.open('stereo.wav', 'wb') as file:
    file.setparams((2, 2, RATE, 0, 'NONE', None))
    file.writeframes(array.array('h', (sample for sample in tone for _ in range(2))).tobytes())
with speech_recognition.AudioFile('stereo.wav') as source:
    added = array.array('h', speech_recognition.Recognizer().record(source).frame_data)
averaged = pydub.AudioSegment.from_wav('stereo.wav').set_channels(1).get_array_of_samples()
for name, samples in (('SpeechRecognition', added), ('pydub', averaged)):
    cut = sum(sample in (-32_768, 32_767) for sample in samples) / len(samples)
    print(f'{name}: loudest {max(samples)}, {cut:.0%} of the samples at the limit')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
SpeechRecognition: loudest 32767, 39% of the samples at the limit
pydub: loudest 20000, 0% of the samples at the limit
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
