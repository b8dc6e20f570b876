"""Greedy syllable error of a checkpoint on the lists of make_test_sets.py, file by file through the serving path.

usage: evaluate.py CHECKPOINT TEST_FOLDER [--int8] [--json FILE]
--int8 rounds the weights as export.py does. Also breaks errors down by onset, rime and tone for syllables.
"""
import argparse
import csv
import json
import os
from collections import Counter

import numpy as np
import torch

from export import Served, load_model
from labels import LANGUAGES, split_jyutping
from model import joint
from score import ErrorCount, greedy
from store import load_audio


def read_list(path):
    with open(path, encoding='utf8') as lines:
        for row in csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE):
            yield os.path.join(os.path.dirname(path), row['file']), row['jyutping'].split(), row.get('speaker') or ''


def round_weights(served):
    """The int8 rounding of export.shrink, in place."""
    for module in [served.entry, *served.blocks, served.head.symbol, served.head.tone]:
        weight = module.weight.data
        scale = weight.abs().flatten(1).max(1)[0][:, None, None] / 127 + 1e-12
        module.weight.data = torch.round(weight / scale) * scale


@torch.no_grad()
def evaluate_list(served, path):
    """{group: ErrorCount} (speakers `seen:...` and `unseen:...` apart) and confusions of single syllables."""
    table, counts, confusions = LANGUAGES['yue'], {}, Counter()
    for file, said, speaker in read_list(path):
        pcm = torch.from_numpy(np.ascontiguousarray(load_audio(file)))[None]
        symbol, tone, _ = served(pcm)
        heard = greedy(table, joint(table, symbol, tone)[0])
        counts.setdefault(speaker.split(':')[0] if ':' in speaker else '', ErrorCount()).add(said, heard)
        if len(said) == len(heard) == 1:
            for part, a, b in zip(('onset', 'rime', 'tone'), split_jyutping(said[0]), split_jyutping(heard[0])):
                confusions[part, 'all'] += 1
                if a != b:
                    confusions[part, f'{a}>{b}'] += 1
                    confusions[part, 'wrong'] += 1
    return counts, confusions


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('checkpoint')
    parser.add_argument('tests')
    parser.add_argument('--int8', action='store_true')
    parser.add_argument('--json')
    args = parser.parse_args()
    torch.set_num_threads(1)
    served = Served(load_model(args.checkpoint)).eval()
    if args.int8:
        round_weights(served)
    figures = {}
    for name in ('synthetic', 'kt-held-out', 'other'):
        counts, confusions = evaluate_list(served, os.path.join(args.tests, name + '.tsv'))
        for group, count in counts.items():
            label = f'{name}-{group}' if group else name
            print(label, count)
            figures[label] = {'syllables': count.total, 'syllableErrorPercent': round(100 * count.toned / count.total, 1),
                              'withoutTonePercent': round(100 * count.toneless / count.total, 1)}
        for part in ('onset', 'rime', 'tone'):
            if name != 'synthetic' and confusions[part, 'all']:
                worst = [(k[1], n) for k, n in confusions.most_common() if k[0] == part and '>' in k[1]][:8]
                print(f"  {part} wrong {100 * confusions[part, 'wrong'] / confusions[part, 'all']:.1f} %", worst)
    if args.json:
        with open(args.json, 'w', encoding='utf8') as out:
            json.dump(figures, out, indent=1)


if __name__ == '__main__':
    main()
