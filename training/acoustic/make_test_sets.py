"""Test folders for the service's own evaluation command.

usage: make_test_sets.py RECORDINGS OUT [--count 200]
OUT/synthetic: 16-bit WAV files of held-out sentences, `synthetic.tsv` (file, text, jyutping, speaker);
OUT/kt-held-out.tsv and OUT/other.tsv (file, jyutping) point at the recordings. The same call gives the same sound.
"""
import argparse
import os
import random
import re
import wave

import numpy as np

from make_recordings import cantonese_items, is_test_recording
from make_synthetic import TEST_VARIANTS, VARIANTS, draw_voice, speak
from texts import is_held_out, read_sentences, shuffled


def write_wav(path, pcm):
    with wave.open(path, 'wb') as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        out.writeframes((np.clip(pcm, -1, 1) * 32767).astype('<i2').tobytes())


def write_synthetic(recordings, out, count):
    """Half of the sentences in voices of the training, half in voices that training never heard."""
    folder, rng = os.path.join(out, 'synthetic'), random.Random(2026)
    os.makedirs(folder, exist_ok=True)
    sentences = [(t, s) for t, s in read_sentences(recordings) if is_held_out(t) and 3 <= len(s) <= 20]
    with open(os.path.join(out, 'synthetic.tsv'), 'w', encoding='utf8') as table:
        table.write('file\ttext\tjyutping\tspeaker\n')
        for i, (text, syllables) in enumerate(shuffled(sentences, 2026)[:count]):
            variant, rate, pitch, spread = draw_voice(rng, TEST_VARIANTS if i % 2 else [''] + VARIANTS)
            pcm = speak(syllables, variant, rate, pitch, spread)
            if pcm is None:
                continue
            name = f'synthetic/{i:04d}.wav'
            write_wav(os.path.join(out, name), pcm)
            speaker = ('unseen:' if i % 2 else 'seen:') + variant
            text = re.sub(r'\s', '', text)
            table.write(f"{name}\t{text}\t{' '.join(syllables)}\t{speaker}\n")


def write_list(path, recordings, items):
    with open(path, 'w', encoding='utf8') as table:
        table.write('file\tjyutping\n')
        for file, units, _ in items:
            table.write(f"{os.path.abspath(os.path.join(recordings, file))}\t{' '.join(units)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--count', type=int, default=200)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    write_synthetic(args.recordings, args.out, args.count)
    kt = cantonese_items(args.recordings, 'yue-syllables-kt', is_test_recording)
    write_list(os.path.join(args.out, 'kt-held-out.tsv'), args.recordings, kt)
    other = cantonese_items(args.recordings, 'yue-syllables-other', lambda file: True)
    write_list(os.path.join(args.out, 'other.tsv'), args.recordings, other)


if __name__ == '__main__':
    main()
