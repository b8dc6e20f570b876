"""Greedy unit error of a checkpoint on the tables of make_test_sets.py, one file at a time as when
serving.

usage: evaluate.py CHECKPOINT TEST_FOLDER [--int8] [--json FILE] Every TSV with units (a column
jyutping, pinyin or phones) is a set. --int8 rounds the weights like export.py. Also prints errors
by onset, rime and tone for single syllables. The JSON {language: {set: figures}} is input of
export.py.
"""
import argparse
import csv
import glob
import json
import os
from collections import Counter

import numpy as np
import torch

from export import ROUNDED, Served, load_model
from labels import LANGUAGES
from model import from_int8, joint, to_int8
from score import ErrorCount, decoded_spelling, greedy
from store import load_audio

UNITS = {'jyutping': 'yue', 'pinyin': 'cmn', 'phones': 'eng'}


def read_list(path):
    """(language, [(file, units, speaker)]) of a table; language None without units."""
    with open(path, encoding='utf8') as lines:
        rows = list(csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE))
    column = next((c for c in UNITS if rows and rows[0].get(c)), None)
    if column is None:
        return None, []
    folder = os.path.dirname(path)
    return UNITS[column], [
        (os.path.join(folder, row['file']), row[column].split(), row.get('speaker') or '')
        for row in rows
    ]


def round_weights(served):
    """Applies the int8 rounding of export.shrink in place."""
    for name, weight in served.named_parameters():
        if name.startswith(ROUNDED) and weight.dim() > 1:
            weight.data = from_int8(*to_int8(weight.data))


@torch.no_grad()
def evaluate_list(served, language, items):
    """{group: ErrorCount} (separate for speakers `seen:...` and `unseen:...`) and confusions of
    single syllables."""
    table, counts, confusions = LANGUAGES[language], {}, Counter()
    for file, expected, speaker in items:
        pcm = torch.from_numpy(np.ascontiguousarray(load_audio(file)))[None]
        expected = decoded_spelling(table, expected)
        symbol, *tone, _, _ = served(pcm)
        recognized = greedy(table, joint(table, symbol, *(tone or [None]))[0])
        group = speaker.split(':')[0] if speaker.startswith(('seen:', 'unseen:')) else ''
        counts.setdefault(group, ErrorCount()).add(expected, recognized, table.tones > 0)
        if table.tones and len(expected) == len(recognized) == 1:
            for part, a, b in zip(
                ('onset', 'rime', 'tone'),
                parts_of(table, expected[0]),
                parts_of(table, recognized[0]),
            ):
                confusions[part, 'all'] += 1
                if a != b:
                    confusions[part, f'{a}>{b}'] += 1
                    confusions[part, 'wrong'] += 1
    return counts, confusions


def parts_of(table, syllable):
    """(onset, rime, tone) of a syllable in the spelling of `Language.decode`."""
    onset = next(
        (
            o
            for o in sorted(table.onsets, key=len, reverse=True)
            if syllable.startswith(o) and syllable[len(o) : -1] in table.rimes
        ),
        '',
    )
    return onset, syllable[len(onset) : -1], syllable[-1]


def figures_of(count, language):
    tones = (
        {'withoutTonePercent': round(100 * count.toneless / count.total, 1)}
        if LANGUAGES[language].tones
        else {}
    )
    return {
        'units': count.total,
        'unitErrorPercent': round(100 * count.toned / count.total, 1),
        **tones,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('checkpoint')
    parser.add_argument('tests')
    parser.add_argument('--int8', action='store_true')
    parser.add_argument('--json')
    args = parser.parse_args()
    torch.set_num_threads(1)
    model, figures = load_model(args.checkpoint), {}
    for path in sorted(glob.glob(os.path.join(args.tests, '*.tsv'))):
        language, items = read_list(path)
        if language is None:
            continue
        served = Served(model, language).eval()
        if args.int8:
            round_weights(served)
        name = os.path.splitext(os.path.basename(path))[0]
        counts, confusions = evaluate_list(served, language, items)
        for group, count in counts.items():
            label = f'{name}-{group}' if group else name
            print(language, label, count, flush=True)
            figures.setdefault(language, {})[label] = figures_of(count, language)
        for part in ('onset', 'rime', 'tone'):
            if confusions[part, 'all'] > count.total / 2:
                worst = [
                    (k[1], n) for k, n in confusions.most_common() if k[0] == part and '>' in k[1]
                ][:8]
                wrong = confusions[part, 'wrong'] / confusions[part, 'all']
                print(f'  {part} wrong {100 * wrong:.1f} %', worst)
    if args.json:
        with open(args.json, 'w', encoding='utf8') as out:
            json.dump(figures, out, indent=1)


if __name__ == '__main__':
    main()
