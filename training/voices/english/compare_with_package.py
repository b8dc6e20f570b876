"""Writes what the Python package hibari-tts 0.2.1 makes of 60 phoneme strings, for a test.

    python compare_with_package.py TEXTS > packages/engines/hibari/testing/package-samples.json

TEXTS has a sentence a line. Two things are written, because the integer arithmetic of ONNX Runtime
differs between processors (instructions without VNNI saturate), so that the same graph gives other
spectra, and by chance a letter a step more or less:

- `rendering`: every 97th sample, in 10,000ths, of the sound of spectra that a formula gives. It is
  the same on every processor.
- `strings`: for each string its letters, its number of frames, and the pitch of every 10th frame in
  hertz, as the graph predicts them on this processor.

Needs `pip install hibari-tts==0.2.1`.
"""

import argparse
import json

import numpy
from hibari import Hibari, dsp

STRINGS = 60
STEP = 97
FRAMES = 48
BINS = 601


def formula_spectra():
    """Five parts of BINS numbers for each frame, and the pitch; a third has no voice."""
    bins = numpy.arange(BINS)[:, None]
    frames = numpy.arange(FRAMES)[None, :]
    tone = 1.6 + numpy.sin(0.05 * bins + 0.3 * frames) - bins / 200
    tone_phase = numpy.cos(0.02 * bins + 0.1 * frames)
    noise = -4 + numpy.sin(0.03 * bins - 0.2 * frames)
    free = -4 + numpy.cos(0.04 * bins + 0.15 * frames)
    free_phase = 3 * numpy.sin(0.07 * bins + 0.5 * frames)
    parts = [part.astype(numpy.float32) for part in (tone, tone_phase, noise, free, free_phase)]
    pitch = numpy.where(frames[0] % 12 < 4, 0, 150 + 40 * numpy.sin(frames[0] / 5))
    return parts, pitch.astype(numpy.float32)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('texts')
    arguments = parser.parse_args()
    parts, pitch = formula_spectra()
    sound = dsp.synth(*parts, pitch, numpy.random.default_rng(0))
    rendering = [round(10_000 * float(sample)) for sample in sound[::STEP]]
    with open(arguments.texts, encoding='utf-8') as file:
        texts = [line.strip() for line in file][:STRINGS]
    voice = Hibari()
    print('{')
    print(f'"rendering": {json.dumps(rendering)},')
    print('"strings": [')
    for number, text in enumerate(texts):
        letters = ' '.join(voice.phonemize(text))
        outputs = dict(zip([o.name for o in voice.sess.get_outputs()], predict(voice, letters)))
        pitch = outputs['f0'][0]
        kept = [round(float(hertz)) for hertz in pitch[::10]]
        row = {'letters': letters, 'frames': len(pitch), 'pitchHz': kept}
        print(json.dumps(row, ensure_ascii=False) + (',' if number + 1 < len(texts) else ''))
    print(']}')


def predict(voice, letters):
    ids = numpy.asarray([voice.ids(letters)], numpy.int64)
    return voice.sess.run(None, {'ids': ids, 'speed': numpy.asarray([1], numpy.float32)})


if __name__ == '__main__':
    main()
