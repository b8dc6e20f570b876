"""Writes a few sounds and their outputs in torch as raw float32, for check_onnx.mjs.

usage: dump_reference.py CHECKPOINT LANGUAGE OUT FILE...
"""
import os
import sys

import numpy as np
import torch

from evaluate import round_weights
from export import Served, load_model
from store import load_audio


def main():
    checkpoint, language, out, files = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(out, exist_ok=True)
    served = Served(load_model(checkpoint), language).eval()
    round_weights(served)
    for i, file in enumerate(files):
        pcm = load_audio(file)
        with torch.no_grad():
            outputs = served(torch.from_numpy(pcm)[None])
        kinds = ('pcm', 'symbol', *(['tone'] if len(outputs) == 4 else []), 'pitch', 'language')
        for kind, value in zip(kinds, (pcm, *outputs)):
            np.asarray(value, np.float32).tofile(os.path.join(out, f'{i}.{kind}.f32'))


if __name__ == '__main__':
    main()
