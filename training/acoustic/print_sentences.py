"""Prints sentences to be rendered for training, one line of syllables each: jyutping, or pinyin
with a list of make_pinyin.mjs.

usage: print_sentences.py RECORDINGS COUNT SEED [--pinyin TSV]
"""
import argparse
import random

from texts import CantoneseSource, MandarinSource


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('recordings')
    parser.add_argument('count', type=int)
    parser.add_argument('seed', type=int)
    parser.add_argument('--pinyin', help='prints Mandarin')
    args = parser.parse_args()
    source = MandarinSource(args.pinyin) if args.pinyin else CantoneseSource(args.recordings)
    rng = random.Random(args.seed)
    for _ in range(args.count):
        print(' '.join(source.draw(rng)))


if __name__ == '__main__':
    main()
