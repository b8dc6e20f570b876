"""Converts recordings to feature stores: Cantonese syllables, Mandarin syllables and words, English
learners, noise.

usage: make_recordings.py RECORDINGS OUT_FOLDER [--pinyin TSV] [--rendered TSV ...]
[--rendered-cmn TSV ...] [--only NAME ...]
--pinyin: a TSV `text\tpinyin` for Mandarin words without pinyin. --rendered, --rendered-cmn: tables
of render-syllables.ts, the stores `rendered` and `rendered-cmn`. The stores are kt-train, kt-test
(one recording in ten, by hash of its name), other (evaluation only), cmn and cmn-test (one speaker
each), eng and eng-test (one speaker in five), eng-native (with --pseudo-labels), noise.
"""
import argparse
import csv
import hashlib
import json
import os
import re
from collections import Counter

import numpy as np
import torch

from frontend import SAMPLE_RATE_HZ
from labels import LANGUAGES, split_jyutping
from store import Extractor, StoreWriter, load_audio


def read_table(recordings, name):
    with open(os.path.join(recordings, name + '.tsv'), encoding='utf8') as lines:
        return list(csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE))


def is_test_recording(file):
    """One recording in ten, by a hash of its file name."""
    name = os.path.splitext(os.path.basename(file))[0]
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], 'big') % 10 == 0


TEST_SPEAKER_CMN = 'cw'  # held-out speaker of the two


def is_test_learner(speaker):
    """One learner in five, by a hash of the speaker's number; never trained on, not even as
    noise."""
    return int.from_bytes(hashlib.sha256(speaker.encode()).digest()[:4], 'big') % 5 == 0


def majority_phones(words):
    """The phones of most raters, word by word; accented {X} counts as X, missing (X) as absent,
    inserted [X] as spoken."""
    out = []
    for word in words:
        votes = Counter()
        for rated in word['phones']:
            kept = [re.sub(r'[{}\[\]*0-9]', '', p) for p in re.sub(r'\([^)]*\)', '', rated).split()]
            votes[' '.join(kept)] += 1
        out += votes.most_common(1)[0][0].split()
    return [PHONE_REPAIRS.get(p, [p]) for p in out]


PHONE_REPAIRS = {
    'TS': ['T', 'S'],
    'DZ': ['D', 'Z'],
    'IR': ['IH', 'R'],
    'AR': ['AA', 'R'],
    'OR': ['AO', 'R'],
    'UR': ['UH', 'R'],
    'AIR': ['EH', 'R'],
    'OO': ['AO'],
    'EE': ['IY'],
    'AXR': ['ER'],
    'TR': ['T', 'R'],
    'DR': ['D', 'R'],
}


def english_items(recordings):
    phones = {}
    with open(os.path.join(recordings, 'eng-learners-train.words.jsonl'), encoding='utf8') as lines:
        for line in lines:
            row = json.loads(line)
            phones[row['utt']] = sum(majority_phones(row['words']), [])
    for row in read_table(recordings, 'eng-learners-train'):
        units = phones.get(os.path.splitext(os.path.basename(row['file']))[0])
        if units:
            yield row['file'], units, row['speaker']


def pseudo_labeled_items(recordings, path):
    """Pieces of recordings without text, with phones of make_pseudo_labels.py."""
    speakers = {row['file']: row['speaker'] for row in read_table(recordings, 'eng-speakers')}
    with open(path, encoding='utf8') as lines:
        for line in lines:
            file, start, end, phones = line.rstrip('\n').split('\t')
            if float(end) - float(start) > 1:
                yield file, phones.split(), 'native:' + speakers[file], (float(start), float(end))


def mandarin_items(recordings, pinyin_of_text):
    for row in read_table(recordings, 'cmn-words'):
        pinyin = row['pinyin'] or pinyin_of_text.get(row['text'], '')
        if pinyin:
            yield row['file'], pinyin.split(), row['speaker']


def by_speaker(items, keep):
    return (item for item in items if keep(item[2]))


def cantonese_items(recordings, name, keep):
    for row in read_table(recordings, name):
        if split_jyutping(row['jyutping']) and keep(row['file']):
            yield row['file'], [row['jyutping']], row.get('speaker') or 'other'


def rendered_items(tables):
    """Sentences of render-syllables.ts."""
    for table in tables:
        folder, name = os.path.split(os.path.splitext(os.path.abspath(table))[0])
        for row in read_table(folder, name):
            yield os.path.join(folder, row['file']), row['units'].split(), row['speaker']


def speech_only(pcm):
    """Trims leading and trailing silence to 50 ms, as recordings of single words are mostly
    silence."""
    count = len(pcm) // 160
    loud = np.sqrt((pcm[: count * 160].reshape(count, 160) ** 2).mean(1) + 1e-12)
    speech = np.where(loud > max(loud.max() * 0.02, 1e-4))[0]
    return pcm[max(0, (speech[0] - 5) * 160) : (speech[-1] + 6) * 160]


class Source:
    """Recordings of one store: `language`, (file, units, speaker, *span) items, and whether silence
    is trimmed."""

    def __init__(self, recordings, language, items, trim):
        self.recordings, self.language, self.items, self.trim = recordings, language, items, trim
        self.unknown = Counter()  # units that are not among the labels

    def sounds(self):
        """Yields (samples, units, speaker, file) of the recordings whose units are all known."""
        for file, units, speaker, *span in self.items:
            table = LANGUAGES.get(self.language)
            if table and table.encode(units) is None:
                self.unknown.update(u for u in units if table.encode([u]) is None)
                continue
            pcm = load_audio(os.path.join(self.recordings, file))
            for start, end in span:
                pcm = pcm[int(start * SAMPLE_RATE_HZ) : int(end * SAMPLE_RATE_HZ)]
            yield speech_only(pcm) if self.trim else pcm, units, speaker, file


def sources(recordings, pinyin_table=None, pseudo_labels=None, rendered=(), rendered_cmn=()):
    """{store: Source}; without pseudo-labels or rendered sentences those two are left out."""
    pinyin = {}
    if pinyin_table:
        with open(pinyin_table, encoding='utf8') as lines:
            pinyin = dict(line.rstrip('\n').split('\t')[:2] for line in lines)
    items = {
        'kt-train': (
            'yue',
            cantonese_items(recordings, 'yue-syllables-kt', lambda f: not is_test_recording(f)),
            True,
        ),
        'kt-test': (
            'yue',
            cantonese_items(recordings, 'yue-syllables-kt', is_test_recording),
            False,
        ),
        'other': ('yue', cantonese_items(recordings, 'yue-syllables-other', lambda f: True), False),
        'cmn': (
            'cmn',
            by_speaker(mandarin_items(recordings, pinyin), lambda s: s != TEST_SPEAKER_CMN),
            True,
        ),
        'cmn-test': (
            'cmn',
            by_speaker(mandarin_items(recordings, pinyin), lambda s: s == TEST_SPEAKER_CMN),
            False,
        ),
        'eng': (
            'eng',
            by_speaker(english_items(recordings), lambda s: not is_test_learner(s)),
            False,
        ),
        'eng-test': ('eng', by_speaker(english_items(recordings), is_test_learner), False),
        'noise': (
            '',
            ((r['file'], [], r['speaker']) for r in read_table(recordings, 'eng-speakers')),
            False,
        ),
    }
    if pseudo_labels:
        items['eng-native'] = ('eng', pseudo_labeled_items(recordings, pseudo_labels), False)
    if rendered:
        items['rendered'] = ('yue', rendered_items(rendered), True)
    if rendered_cmn:
        items['rendered-cmn'] = ('cmn', rendered_items(rendered_cmn), True)
    return {name: Source(recordings, *rest) for name, rest in items.items()}


def add_options(parser):
    parser.add_argument('recordings')
    parser.add_argument('out')
    parser.add_argument('--pinyin', help='from make_pinyin.mjs')
    parser.add_argument('--pseudo-labels', help='from make_pseudo_labels.py')
    parser.add_argument('--rendered', nargs='*', default=[])
    parser.add_argument('--rendered-cmn', nargs='*', default=[])
    parser.add_argument('--only', nargs='*')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng, extract = np.random.default_rng(5), Extractor()
    for name, source in sources(
        args.recordings, args.pinyin, args.pseudo_labels, args.rendered, args.rendered_cmn
    ).items():
        if args.only and name not in args.only:
            continue
        writer = StoreWriter(os.path.join(args.out, name))
        for pcm, units, speaker, file in source.sounds():
            writer.add(
                *extract(pcm, rng),
                units=units,
                language=source.language,
                speaker=speaker,
                file=file
            )
        writer.close()
        print(
            name,
            len(writer.index),
            'recordings',
            writer.count // 6000,
            'minutes; skipped',
            source.unknown.most_common(12),
            flush=True,
        )


if __name__ == '__main__':
    main()
