"""Synthetic speech: jyutping, pinyin or English phones through espeak-ng in many voices, written to
a feature store.

usage: make_synthetic.py RECORDINGS OUT_STORE --language yue|cmn|eng --count N --seed S [--words
TSV] [--test] --words: the list of make_pinyin.mjs for cmn, of make_english_words.mjs for eng.
--test uses only held-out sentences, half of them in held-out voices (`speaker` of each row).
"""
import argparse
import io
import random
import subprocess
import wave

import numpy as np
import torch
from scipy.signal import resample_poly

from labels import LANGUAGES
from store import Extractor, StoreWriter
from texts import CantoneseSource, EnglishSource, MandarinSource

VOICES = {'yue': 'sit/yue-Latn-jyutping', 'cmn': 'sit/cmn-Latn-pinyin', 'eng': 'gmw/en-US'}
TEST_VARIANTS = 'f4 m6 klatt3 Andrea paul linda'.split()
VARIANTS = (
    'f1 f2 f3 f5 m1 m2 m3 m4 m5 m7 m8 Annie steph2 anika belinda Alicia klatt klatt2 klatt4 klatt5 '
    'klatt6 aunty john zac Lee Michael Mike max edward edward2 boris benjamin grandma grandpa '
    'victor pablo Nguyen '
    'adam antonio caleb Denis Diogo ed Gene Gene2 gustave Henrique Hugo iven iven2 iven3 iven4 '
    'Jacky '
    'marcelo Marco Mario michel miguel Mr pedro quincy rob robert sandro shelby travis norbert '
    'Tweaky Storm'
).split()
# CMU phones as mnemonics of espeak-ng's American voice; unstressed AH is a schwa (AX), as in
# learners' annotations.
MNEMONICS = dict(
    pair.split(':', 1)
    for pair in (
        'AA:A:,AE:a,AH:V,AO:O:,AW:aU,AX:@,AY:aI,B:b,CH:tS,D:d,DH:D,EH:E,ER:3:,EY:eI,F:f,G:g,HH:h,'
        'IH:I,IY:i:,JH:dZ,K:k,L:l,M:m,N:n,'
        'NG:N,OW:oU,OY:OI,P:p,R:r,S:s,SH:S,T:t,TH:T,UH:U,UW:u:,V:v,W:w,Y:j,Z:z,ZH:Z'
    ).split(',')
)


def plain_phones(words):
    """Phones without stress from CMU phones of words: [['B', 'AH0'], ...] -> ['B', 'AX', ...]."""
    return ['AX' if p == 'AH0' else p.rstrip('012') for word in words for p in word]


def mnemonics(words, rng):
    """Input of espeak-ng for English words; T between vowels is often tapped, as in American
    English."""
    out = []
    for word in words:
        mnemonic = ''
        for i, phone in enumerate(word):
            bare = 'AX' if phone == 'AH0' else phone.rstrip('012')
            tapped = (
                bare == 'T'
                and 0 < i < len(word) - 1
                and word[i - 1][-1:].isdigit()
                and word[i + 1].endswith('0')
                and rng.random() < 0.6
            )
            stress = "'" if phone.endswith('1') else ',' if phone.endswith('2') else ''
            mnemonic += stress + (
                't#'
                if tapped
                else '3'
                if phone == 'ER0'
                else 'i'
                if phone == 'IY0'
                else MNEMONICS[bare]
            )
        out.append(f'[[{mnemonic}]]')
    return ' '.join(out)


def speak(language, text, variant, rate, pitch, spread, base=None):
    """16 kHz float samples of espeak-ng for jyutping, pinyin or mnemonics (text with another `base`
    voice); None if silent."""
    name = (base or VOICES[language]) + ('+' + variant if variant else '')
    command = [
        'espeak-ng',
        '--stdout',
        '-v',
        name,
        '-s',
        str(rate),
        '-p',
        str(pitch),
        '-m',
        f'<prosody range="{spread}%">{text}</prosody>',
    ]
    raw = subprocess.run(command, capture_output=True).stdout
    if len(raw) < 4000:
        return None
    with wave.open(io.BytesIO(raw)) as sound:
        rate_hz = sound.getframerate()
    pcm = np.frombuffer(raw[44 : len(raw) // 2 * 2], dtype=np.int16).astype(np.float32) / 32768
    assert rate_hz == 22050
    return resample_poly(pcm, 320, 441).astype(np.float32)


def draw_voice(rng, variants):
    variant = rng.choice(variants)
    return (
        variant,
        rng.randint(110, 280),
        rng.randint(10, 90),
        rng.choice([60, 80, 100, 100, 130, 160]),
    )


def open_source(language, recordings, words):
    if language == 'yue':
        return CantoneseSource(recordings)
    return MandarinSource(words) if language == 'cmn' else EnglishSource(recordings, words)


def as_spoken(language, units, rng):
    """(units to recognize, text for `speak`) of units drawn from a source."""
    if language == 'eng':
        return plain_phones(units), mnemonics(units, rng)
    return units, ' '.join(units)


def synthesized(language, recordings, words, count, seed, test=False):
    """Yields (samples, units, speaker) of up to `count` utterances; for a test only held-out
    sentences, half of them in held-out voices."""
    rng = random.Random(seed)
    source = open_source(language, recordings, words)
    held_out = [units for _, units in source.held_out if 2 <= len(units) <= 20]
    for i in range(count):
        unseen_voice = test and i % 2 == 1
        drawn = held_out[i % len(held_out)] if test else source.draw(rng)
        units, text = as_spoken(language, drawn, rng)
        variant, rate, pitch, spread = draw_voice(
            rng, TEST_VARIANTS if unseen_voice else [''] * 3 + VARIANTS
        )
        pcm = speak(language, text, variant, rate, pitch, spread)
        if pcm is None or len(pcm) > 12 * 16000:
            continue
        assert LANGUAGES[language].encode(units), units
        yield pcm, units, ('unseen:' if unseen_voice else 'espeak:') + variant


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--language', choices=list(VOICES), default='yue')
    parser.add_argument('--words')
    parser.add_argument('--count', type=int, required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--test', action='store_true')
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng, extract, writer = np.random.default_rng(args.seed), Extractor(), StoreWriter(args.out)
    for pcm, units, speaker in synthesized(
        args.language, args.recordings, args.words, args.count, args.seed, args.test
    ):
        writer.add(*extract(pcm, rng), units=units, language=args.language, speaker=speaker)
    writer.close()


if __name__ == '__main__':
    main()
