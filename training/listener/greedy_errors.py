"""Greedy errors of the heads on sounds that training never hears.

usage: greedy_errors.py MODEL PACKED WEIGHTS [--recordings RECORDINGS]

The sets are packed ones (a tenth of the Cantonese speaker's syllables, held-out English readers and
learners, unseen voices of espeak-ng) and, of RECORDINGS, the dev sentences of people and syllables
of other people. Prints for each set the share of syllables that are wrong, with and without tones;
for English that of words.
"""

import argparse
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../gpu'))

from extract import unpack  # noqa: E402
from mels import SAMPLE_RATE_HZ, at_peak, log_mels, powers  # noqa: E402
from make_recordings import read_table  # noqa: E402
from network import SPELLINGS, Listener  # noqa: E402
from score import ErrorCount, greedy  # noqa: E402
from store import load_audio  # noqa: E402

PACKED = {
    'kt-test': 'yue',
    'syn-yue-test': 'yue',
    'cmn-test': 'cmn',
    'syn-cmn-test': 'cmn',
    'letters-test': 'eng',
    'letters-native-test': 'eng',
}
PEOPLE = {'yue-sentences-dev': 'yue', 'yue-syllables-other': 'yue'}
LARGEST_SET = 120


def some(items):
    """Evenly spaced items of a list, at most LARGEST_SET."""
    step = max(1, len(items) // LARGEST_SET)
    return items[::step][:LARGEST_SET]


def held_out_sets(packed, recordings=None):
    """{name: (language, [(samples, units)])}."""
    sets = {}
    for name, language in PACKED.items():
        if os.path.exists(os.path.join(packed, name + '.jsonl')):
            items = [(pcm / 32768, units) for pcm, _, _, units in unpack(packed, name)]
            sets[name] = language, some(items)
    for name, language in PEOPLE.items():
        path = os.path.join(recordings or '', name + '.tsv')
        if recordings and os.path.exists(path):
            sets[name] = language, [
                (load_audio(os.path.join(recordings, row['file'])), row['jyutping'].split())
                for row in some(read_table(recordings, name))
            ]
    return sets


@torch.no_grad()
def listen(network, pcm, language):
    """(units that are heard, the language with the highest score) of one recording."""
    pcm = np.pad(at_peak(pcm), (SAMPLE_RATE_HZ // 10, SAMPLE_RATE_HZ // 5)).astype(np.float32)
    mels = log_mels(powers(torch.from_numpy(pcm[: 30 * SAMPLE_RATE_HZ])[None]))
    encoded = network.encode(mels[..., : mels.shape[2] // 2 * 2])
    frames = torch.tensor([encoded.shape[1]])
    told = int(network.language_scores(encoded, frames)[0].argmax())
    scores = F.log_softmax(network.heads[language](encoded), -1)[0]
    return greedy(SPELLINGS[language], scores), list(SPELLINGS)[told]


def words(units):
    return ''.join(units).replace('_', ' ').split()


def evaluate_sets(network, sets):
    """Yields a line for each set."""
    for name, (language, items) in sets.items():
        count, told, table = ErrorCount(), 0, SPELLINGS[language]
        for pcm, expected in items:
            heard, found = listen(network, pcm, language)
            told += found == language
            if language == 'eng':
                count.add(words(expected), words(heard), has_tones=False)
            else:
                count.add(table.decode(table.encode(expected) or []), heard)
        unit = 'words' if language == 'eng' else 'syllables'
        right = 100 * told / len(items)
        yield f'{name}: {unit} wrong {count}; language right in {right:.0f} %'


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('model')
    parser.add_argument('packed')
    parser.add_argument('weights')
    parser.add_argument('--recordings')
    args = parser.parse_args()
    network = Listener(os.path.join(args.model, 'model.bin'))
    state = torch.load(args.weights)['average']
    network.load_tuned({name: value.float() for name, value in state.items()})
    for line in evaluate_sets(network.eval(), held_out_sets(args.packed, args.recordings)):
        print(line, flush=True)


if __name__ == '__main__':
    main()
