"""Writes a small folder of recordings' texts and packed made-up sounds, to try out a training.

usage: made_up_sounds.py RECORDINGS WORK
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))

from pack import Packer  # noqa: E402

SYLLABLES = ['si1', 'si2', 'si3', 'si4', 'maa5', 'maa6', 'jat1', 'jyut6', 'hoeng1', 'gong2']
PINYIN = ['ma1', 'ma2', 'ma3', 'ma4', 'ni3', 'hao3']
PHONES = ['HH', 'AH', 'L', 'OW']
SENTENCES = {'syn1': ('yue', SYLLABLES), 'syn-cmn-1': ('cmn', PINYIN), 'syn-eng-1': ('eng', PHONES)}


def pulses(rng, seconds):
    """A buzz that glides in pitch, [samples] at 16 kHz."""
    f0_hz = np.linspace(rng.uniform(90, 250), rng.uniform(90, 250), int(16000 * seconds))
    buzz = np.diff(np.floor(np.cumsum(f0_hz / 16000)), prepend=0) * 0.3
    return (buzz + rng.standard_normal(len(buzz)) * 0.01).astype(np.float32)


def main():
    recordings, work = sys.argv[1:]
    os.makedirs(os.path.join(recordings, 'text'), exist_ok=True)
    os.makedirs(os.path.join(work, 'packed'), exist_ok=True)
    # Two texts of it are not held out.
    texts = {'hkcancor.tsv': 'words\tjyutping\n' + ''.join(f'{n} 詩\tjat1 si1 {s}\n' for n, s in enumerate(SYLLABLES)),
             'commonvoice-yue.txt': '詩\n', 'rime-lexicon.tsv': '詩\tsi1\n'}
    for name, text in texts.items():
        with open(os.path.join(recordings, 'text', name), 'w', encoding='utf8') as out:
            out.write(text)
    rng = np.random.default_rng(1)

    def write(name, language, utterances, speaker):
        packer = Packer(os.path.join(work, 'packed'), name, 24)
        for units in utterances:
            packer.add(pulses(rng, 0.35 * max(1, len(units))), language, speaker, units)
        packer.close()

    def drawn(units):
        return [[units[i] for i in rng.integers(len(units), size=5)] for _ in range(8)]

    write('kt-train', 'yue', [[s] for s in SYLLABLES], 'kt')
    write('kt-test', 'yue', [[s] for s in SYLLABLES[:3]], 'kt')
    write('cmn', 'cmn', [[s] for s in PINYIN] + drawn(PINYIN), 'yt')
    write('eng', 'eng', drawn(PHONES), 'learner')
    write('eng-native', 'eng', drawn(PHONES), 'reader')
    write('rendered', 'yue', drawn(SYLLABLES), 'voice')
    write('noise', '', [[], []], 'babble')
    for name, (language, units) in SENTENCES.items():
        write(name, language, drawn(units), 'espeak-made-up')


if __name__ == '__main__':
    main()
