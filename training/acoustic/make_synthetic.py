"""Synthetic Cantonese: jyutping through espeak-ng in many voices, straight into a feature store.

usage: make_synthetic.py RECORDINGS OUT_STORE --count N --seed S [--test]
--test takes only held-out sentences, half of them in held-out voices (`speaker` of each row says which).
"""
import argparse
import io
import random
import subprocess
import wave

import numpy as np
import torch
from scipy.signal import resample_poly

from labels import YUE_ONSETS, YUE_RIMES, split_jyutping
from store import Extractor, StoreWriter
from texts import TextSource, is_held_out, read_sentences

VOICE = 'sit/yue-Latn-jyutping'
TEST_VARIANTS = 'f4 m6 klatt3 Andrea paul linda'.split()
VARIANTS = ('f1 f2 f3 f5 m1 m2 m3 m4 m5 m7 m8 Annie steph2 anika belinda Alicia klatt klatt2 klatt4 klatt5 '
            'klatt6 aunty john zac Lee Michael Mike max edward edward2 boris benjamin grandma grandpa victor pablo Nguyen '
            'adam antonio caleb Denis Diogo ed Gene Gene2 gustave Henrique Hugo iven iven2 iven3 iven4 Jacky '
            'marcelo Marco Mario michel miguel Mr pedro quincy rob robert sandro shelby travis norbert Tweaky Storm').split()


def speak(syllables, variant, rate, pitch, spread):
    """16 kHz float samples of espeak-ng saying jyutping; None when it makes no sound."""
    name = VOICE + ('+' + variant if variant else '')
    command = ['espeak-ng', '--stdout', '-v', name, '-s', str(rate), '-p', str(pitch), '-m', f'<prosody range="{spread}%">' + ' '.join(syllables) + '</prosody>']
    raw = subprocess.run(command, capture_output=True).stdout
    if len(raw) < 4000:
        return None
    with wave.open(io.BytesIO(raw)) as sound:
        rate_hz = sound.getframerate()
    pcm = np.frombuffer(raw[44:len(raw) // 2 * 2], dtype=np.int16).astype(np.float32) / 32768
    assert rate_hz == 22050
    return resample_poly(pcm, 320, 441).astype(np.float32)


def draw_voice(rng, variants):
    variant = rng.choice(variants)
    return variant, rng.randint(110, 280), rng.randint(10, 90), rng.choice([60, 80, 100, 100, 130, 160])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--count', type=int, required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--test', action='store_true')
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng, noise_rng = random.Random(args.seed), np.random.default_rng(args.seed)
    every = [o + r + t for o in [''] + YUE_ONSETS for r in YUE_RIMES if r not in ('m', 'ng') for t in '123456']
    source = TextSource(args.recordings, every)
    held_out = [s for t, s in read_sentences(args.recordings) if is_held_out(t) and 2 <= len(s) <= 20]
    extract, writer = Extractor(), StoreWriter(args.out)
    for i in range(args.count):
        unseen_voice = args.test and i % 2 == 1
        syllables = held_out[i % len(held_out)] if args.test else source.draw(rng)
        variant, rate, pitch, spread = draw_voice(rng, TEST_VARIANTS if unseen_voice else [''] * 3 + VARIANTS)
        pcm = speak(syllables, variant, rate, pitch, spread)
        if pcm is None or len(pcm) > 12 * 16000:
            continue
        assert all(split_jyutping(s) for s in syllables)
        mel, pitch_track = extract(pcm, noise_rng)
        writer.add(mel, pitch_track, units=syllables, language='yue',
                   speaker=('unseen:' if unseen_voice else 'espeak:') + variant)
    writer.close()


if __name__ == '__main__':
    main()
