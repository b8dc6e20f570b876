"""Clips of a few seconds in three languages, to calibrate and test the language identifier.

usage: make_language_clips.py RECORDINGS OUT --pinyin TSV --words TSV --count N [--seconds 3]
[--seed 1] [--test] Writes OUT/clips/*.wav and OUT/clips.tsv (file, language, speaker). Half of the
clips are synthetic, half are recordings: sentences of English learners and native readers,
Cantonese and Mandarin syllables and words in sequence. One clip in three is filtered, noisy or
reverberant. Half of the synthetic English is espeak-ng's reading of sentences in several accents,
with connected speech. --test uses only held-out speakers, sentences and synthetic voices.
"""
import argparse
import os
import random

import numpy as np
import torch

from make_recordings import (TEST_SPEAKER_CMN, cantonese_items, english_items, is_test_learner, is_test_recording,
                             mandarin_items, read_table, speech_only)
from make_synthetic import TEST_VARIANTS, VARIANTS, as_spoken, draw_voice, open_source, speak
from make_test_sets import NAMES, write_wav
from store import load_audio

ACCENTS = ['en-us', 'en-us', 'en-gb', 'en-gb-x-rp', 'en-gb-scotland', 'en-029']


def people(recordings, pinyin, test):
    """{language: {speaker: [files]}}"""
    items = {'yue': list(cantonese_items(recordings, 'yue-syllables-kt', lambda f: is_test_recording(f) == test)),
             'cmn': [i for i in mandarin_items(recordings, pinyin) if (i[2] == TEST_SPEAKER_CMN) == test],
             'eng': [i for i in english_items(recordings) if is_test_learner(i[2]) == test]}
    if test:
        items['yue'] += cantonese_items(recordings, 'yue-syllables-other', lambda f: True)
    else:
        items['eng'] += [(row['file'], [], row['speaker']) for row in read_table(recordings, 'eng-speakers')]
    out = {}
    for language, found in items.items():
        for file, _, speaker in found:
            out.setdefault(language, {}).setdefault(speaker, []).append(file)
    return out


def fit_length(pcm, samples, rng):
    start = rng.randrange(max(1, len(pcm) - samples))
    return pcm[start:start + samples]


def spoilt(pcm, rng):
    """Adds a channel, a room or noise; leaves most clips unmodified."""
    noise_rng = np.random.default_rng(rng.randrange(2 ** 31))
    kind = rng.random()
    if kind < 0.12:
        spectrum = np.fft.rfft(pcm)
        hz = np.arange(len(spectrum)) * 8000 / len(spectrum)
        spectrum[(hz < 250) | (hz > 3500)] *= 0.01
        return np.fft.irfft(spectrum, len(pcm))
    if kind < 0.22:
        room = np.exp(-np.arange(6000) / rng.uniform(400, 2000)) * noise_rng.standard_normal(6000) * 0.15
        room[0] = 1
        return np.convolve(pcm, room)[:len(pcm)]
    if kind < 0.33:
        level = np.sqrt(np.mean(pcm ** 2)) * 10 ** (-rng.uniform(8, 25) / 20)
        return pcm + level * noise_rng.standard_normal(len(pcm))
    return pcm


def human_clip(recordings, speakers, samples, rng):
    speaker = rng.choice(sorted(speakers))
    pieces, length = [], 0
    while length < samples:
        pcm = speech_only(load_audio(os.path.join(recordings, rng.choice(speakers[speaker]))))
        gap = np.zeros(rng.randint(200, 2500), np.float32)
        pieces += [pcm / (np.abs(pcm).max() + 1e-6) * rng.uniform(0.3, 0.6), gap]
        length += len(pcm) + len(gap)
    return fit_length(np.concatenate(pieces), samples, rng), speaker


def synthetic_clip(language, source, test, samples, rng):
    pieces, length = [], 0
    accent = rng.choice(ACCENTS) if language == 'eng' and rng.random() < 0.5 else None
    voice = draw_voice(rng, TEST_VARIANTS if test else [''] * 3 + VARIANTS)
    while length < samples:
        if accent is not None:
            sentence = rng.choice(source.held_out)[0] if test else ' '.join(rng.choice(source.sentences))
            pcm = speak(language, sentence, *voice, base=accent)
        else:
            drawn = rng.choice(source.held_out)[1] if test else source.draw(rng)
            pcm = speak(language, as_spoken(language, drawn, rng)[1], *voice)
        if pcm is not None:
            pieces.append(pcm)
            length += len(pcm)
    return fit_length(np.concatenate(pieces), samples, rng), 'espeak:' + voice[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--pinyin', required=True)
    parser.add_argument('--words', required=True)
    parser.add_argument('--count', type=int, required=True)
    parser.add_argument('--seconds', type=float, default=3)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--test', action='store_true')
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng, samples = random.Random(args.seed), int(args.seconds * 16000)
    os.makedirs(os.path.join(args.out, 'clips'), exist_ok=True)
    with open(args.pinyin, encoding='utf8') as lines:
        pinyin = dict(line.rstrip('\n').split('\t')[:2] for line in lines)
    speakers = people(args.recordings, pinyin, args.test)
    sources = {language: open_source(language, args.recordings, args.pinyin if language == 'cmn' else args.words)
               for language in NAMES}
    with open(os.path.join(args.out, 'clips.tsv'), 'w', encoding='utf8') as table:
        table.write('file\tlanguage\tspeaker\n')
        for i in range(args.count):
            language = list(NAMES)[i % 3]
            if i % 2:
                pcm, speaker = human_clip(args.recordings, speakers[language], samples, rng)
            else:
                pcm, speaker = synthetic_clip(language, sources[language], args.test, samples, rng)
            pcm = spoilt(pcm, rng)
            name = f'clips/{i:05d}.wav'
            write_wav(os.path.join(args.out, name), pcm / (np.abs(pcm).max() + 1e-6) * 0.5)
            table.write(f'{name}\t{NAMES[language]}\t{speaker}\n')


if __name__ == '__main__':
    main()
