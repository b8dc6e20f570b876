#!/bin/sh
# Guess: `record(source, duration=1)` of SpeechRecognition reads one second of a file, and `offset=1` begins at one
# second, or both are off by a few samples.
# Seen with SpeechRecognition 3.17.0 (PyPI): it reads whole blocks of 4,096 samples and stops before the last that
# would pass the end. One second of 8 kHz is so 0.51 s of sound, of 16 kHz 0.77 s; with an offset of 1 s the sound
# begins at 0.51 s. Pieces that are read one after another do follow each other, so a loop of sixty pieces of a second
# gets the first half of a minute, and times that are counted from the pieces are of something else.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet SpeechRecognition==3.17.0
cat > try.py <<'END'
import array
import wave

import speech_recognition

recognizer = speech_recognition.Recognizer()
for rate in (8000, 16000, 48000):
    # Each sample is its own place, in units of ten.
    with wave.open('count.wav', 'wb') as file:
        file.setparams((1, 2, rate, 0, 'NONE', None))
        file.writeframes(array.array('h', (index // 10 for index in range(5 * rate))).tobytes())
    with speech_recognition.AudioFile('count.wav') as source:
        pieces = [recognizer.record(source, duration=1) for _ in range(3)]
    with speech_recognition.AudioFile('count.wav') as source:
        later = recognizer.record(source, offset=1, duration=1)
    lengths = ', '.join(f'{len(piece.frame_data) / 2 / rate:.3f}' for piece in pieces)
    begin = array.array('h', later.frame_data)[0] * 10 / rate
    print(f'{rate} Hz: pieces of {lengths} s; behind an offset of 1 s {len(later.frame_data) / 2 / rate:.3f} s from {begin:.3f} s on')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
8000 Hz: pieces of 0.512, 0.512, 0.512 s; behind an offset of 1 s 0.512 s from 0.511 s on
16000 Hz: pieces of 0.768, 0.768, 0.768 s; behind an offset of 1 s 0.768 s from 0.767 s on
48000 Hz: pieces of 0.939, 0.939, 0.939 s; behind an offset of 1 s 0.939 s from 0.939 s on
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
