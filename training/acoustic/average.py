"""Averages the weights of checkpoints of one training run, or of a run and what it continued.

usage: average.py OUT CHECKPOINT [CHECKPOINT ...] [--int8]
OUT has float16 weights with the heads of all languages, an input of export.py and train.py --init;
with --int8 matrices are stored as in the exported graph: one byte for a weight and a scale for
each output.
Averages of models on one path of training often hear unknown voices better than the last of them
(M. Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
"""
import sys

import torch

from model import pack, read_weights


def average(states):
    """{name: tensor} of the mean of float tensors, float16; others are taken from the last."""
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).half()
        if last.dtype.is_floating_point
        else last
        for name, last in states[-1].items()
    }


def main():
    out, *paths = [argument for argument in sys.argv[1:] if argument != '--int8']
    mean = average([read_weights(path) for path in paths])
    torch.save({'average': pack(mean) if '--int8' in sys.argv else mean}, out)


if __name__ == '__main__':
    main()
