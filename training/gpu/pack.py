"""Packs the sounds that training/gpu/run trains on: about 9 MB an hour instead of 95 MB of
features.

usage: pack.py RECORDINGS OUT [--pinyin TSV] [--pseudo-labels TSV] [--rendered TSV ...]
               [--rendered-cmn TSV ...] [--only NAME ...]
       pack.py RECORDINGS OUT --synthetic NAME --language yue|cmn|eng --count N --seed S
               [--words TSV] [--test]

Writes OUT/NAME-NN.opus, recordings in a row, ten minutes each at 16 kHz, and OUT/NAME.jsonl with a
row for each recording: file, first sample, samples, language, speaker, units. The first form packs
the stores of make_recordings.py, except for those that are only evaluated on; the second one
sentences of make_synthetic.py. Needs opusenc (Debian: opus-tools).
"""
import argparse
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../acoustic'))

from frontend import SAMPLE_RATE_HZ  # noqa: E402
from make_recordings import add_options, sources  # noqa: E402
from make_synthetic import synthesized  # noqa: E402

FILE_SAMPLES = 600 * SAMPLE_RATE_HZ
# Bits per second: synthesizers and re-voiced syllables need fewer than recordings.
RATES, OTHER_RATE = {'rendered': 16, 'rendered-cmn': 16, 'cmn': 20}, 24
SYNTHETIC_RATE = 16
TRAINED = ['kt-train', 'kt-test', 'cmn', 'eng', 'eng-native', 'rendered', 'rendered-cmn', 'noise']


class Packer:
    """Writes the recordings of one store."""

    def __init__(self, folder, name, kilobits):
        self.path, self.kilobits = os.path.join(folder, name), kilobits
        self.rows, self.pieces, self.size, self.files = [], [], 0, 0

    def add(self, pcm, language, speaker, units):
        """Samples of any level; all get the same one."""
        pcm = pcm * (0.1 / (np.sqrt(np.mean(pcm**2)) + 1e-6))
        self.rows.append([self.files, self.size, len(pcm), language, speaker, ' '.join(units)])
        self.pieces.append((np.clip(pcm, -1, 1) * 32767).astype('<i2'))
        self.size += len(pcm)
        if self.size > FILE_SAMPLES:
            self.flush()

    def flush(self):
        if not self.pieces:
            return
        # The encoder may lose a few samples at the end.
        raw = np.concatenate([*self.pieces, np.zeros(SAMPLE_RATE_HZ // 10, '<i2')]).tobytes()
        command = [
            'opusenc',
            '--quiet',
            '--comp',  # of 0..10; the highest takes most of the time of packing
            '1',
            '--raw',
            '--raw-rate',
            str(SAMPLE_RATE_HZ),
            '--raw-chan',
            '1',
            '--bitrate',
            str(self.kilobits),
            '-',
            f'{self.path}-{self.files:02d}.opus',
        ]
        subprocess.run(command, input=raw, check=True)
        self.pieces, self.size, self.files = [], 0, self.files + 1

    def close(self):
        self.flush()
        with open(self.path + '.jsonl', 'w', encoding='utf8') as out:
            for row in self.rows:
                out.write(json.dumps(row, ensure_ascii=False) + '\n')
        minutes = sum(row[2] for row in self.rows) // (60 * SAMPLE_RATE_HZ)
        print(
            f'{os.path.basename(self.path)}: {len(self.rows)} recordings, {minutes} minutes',
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument('--synthetic', metavar='NAME')
    parser.add_argument('--language')
    parser.add_argument('--words')
    parser.add_argument('--count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--test', action='store_true')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    if args.synthetic:
        packer = Packer(args.out, args.synthetic, SYNTHETIC_RATE)
        for pcm, units, speaker in synthesized(
            args.language, args.recordings, args.words, args.count, args.seed, args.test
        ):
            packer.add(pcm, args.language, speaker, units)
        packer.close()
        return
    for name, source in sources(
        args.recordings, args.pinyin, args.pseudo_labels, args.rendered, args.rendered_cmn
    ).items():
        if name not in (args.only or TRAINED):
            continue
        packer = Packer(args.out, name, RATES.get(name, OTHER_RATE))
        for pcm, units, speaker, _ in source.sounds():
            packer.add(pcm, source.language, speaker, units)
        packer.close()


if __name__ == '__main__':
    main()
