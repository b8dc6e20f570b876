"""Prints sentences to be rendered for training, one line of jyutping each.

usage: print_sentences.py RECORDINGS COUNT SEED
"""
import random
import sys

from texts import CantoneseSource


def main():
    recordings, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    source, rng = CantoneseSource(recordings), random.Random(seed)
    for _ in range(count):
        print(' '.join(source.draw(rng)))


if __name__ == '__main__':
    main()
