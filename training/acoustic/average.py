"""Averages the weights of checkpoints of one training run, or of a run and what it continued.

usage: average.py OUT CHECKPOINT [CHECKPOINT ...]
OUT has float16 weights with the heads of all languages, an input of export.py and train.py --init.
Averages of models on one path of training often hear unknown voices better than the last of them
(M. Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
"""
import sys

import torch


def average(states):
    """{name: tensor} of the mean of float tensors, float16; others are taken from the last."""
    return {name: torch.stack([state[name].float() for state in states]).mean(0).half() if last.dtype.is_floating_point else last
            for name, last in states[-1].items()}


def main():
    out, *paths = sys.argv[1:]
    torch.save({'average': average([torch.load(path)['average'] for path in paths])}, out)


if __name__ == '__main__':
    main()
