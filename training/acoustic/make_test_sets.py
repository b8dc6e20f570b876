"""Test folders for `npm run eval` (docs/evaluation.md) in all three languages.

usage: make_test_sets.py RECORDINGS OUT [--count 200] [--pinyin TSV] [--words TSV] Synthetic 16-bit
WAV files of held-out sentences, half in held-out voices (speaker `seen:...` or `unseen:...`):
  synthetic-yue.tsv, synthetic-cmn.tsv (needs --pinyin, from make_pinyin.mjs), synthetic-eng.tsv
  (needs --words, from make_english_words.mjs)
Held-out recordings, which the tables refer to:
  kt-held-out.tsv            syllables of the training speaker in held-out recordings other.tsv
  Cantonese syllables of unknown speakers cmn-other-voice.tsv        Mandarin syllables of the
  held-out speaker eng-learners-held-out.tsv  sentences of held-out learners, with the phones of
  most raters languages.tsv              all of them, with the language and without text, for `npm
  run eval -- language`
Deterministic: the same call gives the same audio.
"""
import argparse
import os
import random
import re
import wave

import numpy as np

from labels import LANGUAGES
from make_recordings import (
    TEST_SPEAKER_CMN,
    by_speaker,
    cantonese_items,
    english_items,
    is_test_learner,
    is_test_recording,
    mandarin_items,
    read_table,
)
from make_synthetic import TEST_VARIANTS, VARIANTS, as_spoken, draw_voice, open_source, speak
from texts import shuffled

NAMES = {'yue': 'cantonese', 'cmn': 'mandarin', 'eng': 'english'}
UNITS = {'yue': 'jyutping', 'cmn': 'pinyin', 'eng': 'phones'}
# Syllables, or English words: shorter ones are exclamations, longer ones exceed training
# utterances.
SENTENCE_LENGTHS = {'yue': (3, 20), 'cmn': (4, 14), 'eng': (3, 12)}
SEED = 2026


def write_wav(path, pcm):
    with wave.open(path, 'wb') as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        out.writeframes((np.clip(pcm, -1, 1) * 32767).astype('<i2').tobytes())


def write_table(path, columns, rows):
    """Rows are dictionaries; tabs and line breaks become spaces, as they would shift the
    columns."""
    with open(path, 'w', encoding='utf8') as table:
        table.write('\t'.join(columns) + '\n')
        for row in rows:
            table.write(
                '\t'.join(re.sub(r'\s+', ' ', row[column]).strip() for column in columns) + '\n'
            )
    print(os.path.basename(path), len(rows), 'recordings', flush=True)


def write_synthetic(language, source, out, count):
    """Uses held-out voices for every second sentence. A source with fewer sentences repeats them in
    other voices."""
    name, rng = f'synthetic-{language}', random.Random(SEED)
    os.makedirs(os.path.join(out, name), exist_ok=True)
    shortest, longest = SENTENCE_LENGTHS[language]
    sentences = shuffled([s for s in source.held_out if shortest <= len(s[1]) <= longest], SEED)
    rows = []
    for i in range(min(count, 8 * len(sentences))):
        text, drawn = sentences[i % len(sentences)]
        units, spoken = as_spoken(language, drawn, rng)
        variant, rate, pitch, spread = draw_voice(rng, TEST_VARIANTS if i % 2 else [''] + VARIANTS)
        pcm = speak(language, spoken, variant, rate, pitch, spread)
        if pcm is None or LANGUAGES[language].encode(units) is None:
            continue
        file = f'{name}/{i:04d}.wav'
        write_wav(os.path.join(out, file), pcm)
        rows.append(
            {
                'file': file,
                'text': text if language == 'eng' else re.sub(r'[\s_]', '', text),
                UNITS[language]: ' '.join(units),
                'language': NAMES[language],
                'speaker': ('unseen:' if i % 2 else 'seen:') + variant,
            }
        )
    write_table(
        os.path.join(out, name + '.tsv'),
        ['file', 'text', UNITS[language], 'language', 'speaker'],
        rows,
    )


def is_citation(units):
    """False for an isolated neutral tone, which does not exist: those recordings hold whole
    sentences."""
    return not (len(units) == 1 and units[0].endswith('5'))


def human_rows(recordings, language, items, texts=None):
    """Rows of (file, units, speaker), without those with unknown units."""
    rows = []
    for file, units, speaker in items:
        if LANGUAGES[language].encode(units) is not None:
            rows.append(
                {
                    'file': os.path.abspath(os.path.join(recordings, file)),
                    UNITS[language]: ' '.join(units),
                    'language': NAMES[language],
                    'speaker': speaker,
                    'text': (texts or {}).get(file, ''),
                }
            )
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--pinyin', help='from make_pinyin.mjs')
    parser.add_argument('--words', help='from make_english_words.mjs')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    for language, words in (('yue', ''), ('cmn', args.pinyin), ('eng', args.words)):
        if words is None:
            print(f'synthetic-{language} skipped: no word list was given')
        else:
            write_synthetic(
                language, open_source(language, args.recordings, words), args.out, args.count
            )

    # Words of the other speaker have no pinyin and are not needed, so the list of make_pinyin.mjs
    # is not needed here.
    english_texts = {
        row['file']: row['text'] for row in read_table(args.recordings, 'eng-learners-train')
    }
    people = {
        'kt-held-out': human_rows(
            args.recordings,
            'yue',
            cantonese_items(args.recordings, 'yue-syllables-kt', is_test_recording),
        ),
        'other': human_rows(
            args.recordings,
            'yue',
            cantonese_items(args.recordings, 'yue-syllables-other', lambda file: True),
        ),
        'cmn-other-voice': human_rows(
            args.recordings,
            'cmn',
            [
                item
                for item in mandarin_items(args.recordings, {})
                if item[2] == TEST_SPEAKER_CMN and is_citation(item[1])
            ],
        ),
        'eng-learners-held-out': human_rows(
            args.recordings,
            'eng',
            by_speaker(english_items(args.recordings), is_test_learner),
            english_texts,
        ),
    }
    for name, rows in people.items():
        language = next(code for code in NAMES if NAMES[code] == rows[0]['language'])
        columns = ['file', UNITS[language], 'language', 'speaker'] + (
            ['text'] if language == 'eng' else []
        )
        write_table(os.path.join(args.out, name + '.tsv'), columns, rows)
    write_table(
        os.path.join(args.out, 'languages.tsv'),
        ['file', 'language', 'speaker'],
        sum(people.values(), []),
    )


if __name__ == '__main__':
    main()
