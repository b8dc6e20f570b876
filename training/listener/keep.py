"""Keeps of a training what the next one, and the export, begin with: the averaged weights as
float16 (19 MB).

usage: keep.py OUT CHECKPOINT [CHECKPOINT ...]      the mean of several
"""

import sys

import torch


def main():
    out, *paths = sys.argv[1:]
    if not paths:
        raise SystemExit(__doc__)
    states = [torch.load(path)['average'] for path in paths]
    mean = {
        name: torch.stack([state[name].float() for state in states]).mean(0).half()
        for name in states[0]
    }
    torch.save({'average': mean}, out)


if __name__ == '__main__':
    main()
