#!/bin/sh
# Guess: webrtcvad finds about the same speech in frames of 10, 20 or 30 ms, the three that it takes; they only
# decide how fine the answer is.
# Seen with webrtcvad-wheels 2.0.14.post1 (PyPI): in the two strict modes they decide what is speech. Three seconds of a
# steady tone have 0.15 s of speech in frames of 10 ms, 0.18 s in 20 ms and 3.12 s in 30 ms; three of white noise
# have 0.94 s in 10 ms in the strictest mode and 3 s in the others. The two other modes take all of it for speech
# at each length. A program that changes to 30 ms to compute less keeps tones and noise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet webrtcvad-wheels==2.0.14.post1 numpy==2.4.6
cat > try.py <<'END'
import numpy
import webrtcvad

RATE = 16_000
silence = numpy.zeros(RATE, numpy.int16)
tone = (numpy.sin(2 * numpy.pi * 300 * numpy.arange(RATE * 3) / RATE) * 8000).astype(numpy.int16)
noise = (numpy.random.default_rng(0).standard_normal(RATE * 3) * 2000).astype(numpy.int16)


def speech(mode, milliseconds, sound):
    detector = webrtcvad.Vad(mode)
    size = RATE * milliseconds // 1000
    samples = numpy.concatenate([silence, sound, silence])
    frames = [samples[start : start + size].tobytes() for start in range(0, len(samples) - size + 1, size)]
    return sum(detector.is_speech(frame, RATE) for frame in frames) * milliseconds / 1000


seen = {}
for name, sound in (('tone', tone), ('noise', noise)):
    for mode in range(4):
        seen[name, mode] = [speech(mode, milliseconds, sound) for milliseconds in (10, 20, 30)]
        print(f'{name}, mode {mode}: {seen[name, mode]} s in frames of 10, 20, 30 ms')
expected = {
    ('tone', 1): [3.15, 3.16, 3.18],
    ('tone', 2): [0.15, 0.18, 3.12],
    ('tone', 3): [0.15, 0.18, 3.12],
    ('noise', 1): [3.14, 3.14, 3.18],
    ('noise', 2): [2.06, 3.1, 3.09],
    ('noise', 3): [0.94, 2.98, 3.09],
}
if any(seen[key] != durations for key, durations in expected.items()):
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
