"""Writes sounds and their outputs in torch as raw float32, for check_onnx.mjs.

usage: dump_reference.py MODELS_FOLDER OUT FILE...
"""
import os
import sys

import numpy as np
import people  # noqa: F401
import torch
from store import load_audio

from served import KINDS, from_onnx


def main():
    models, out, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(out, exist_ok=True)
    for kind in KINDS:
        served = from_onnx(kind, os.path.join(models, kind + '.onnx'))
        for i, file in enumerate(files):
            samples = load_audio(file)[: 16000 * 20]
            with torch.no_grad():
                found = served(torch.from_numpy(samples)[None])
            samples.tofile(os.path.join(out, f'{i}.samples.f32'))
            np.asarray(found, np.float32).tofile(os.path.join(out, f'{i}.{kind}.f32'))


if __name__ == '__main__':
    main()
