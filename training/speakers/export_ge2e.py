"""Writes FOLDER/ge2e.onnx: the GE2E speaker encoder of Resemblyzer with its front end.

usage: export_ge2e.py RESEMBLYZER.whl FOLDER [--float]
       (pip download --no-deps Resemblyzer==0.1.4; the wheel is not installed)

Input `samples` [batch, n] float32, mono, 16 kHz, -1..1, 0.4 s and more; output `embedding`
[batch, 256] of unit length. The front end is that of the package: 40 power mels (Slaney) of 25 ms
every 10 ms, zero padding. Every window is brought to LEVEL_DB. Weights are halves, restored at load
(--float keeps floats, for comparison).
"""
import argparse
import hashlib
import io
import os
import zipfile

import numpy as np
import onnx
import people  # noqa: F401  (finds the acoustic models' front end and export)
import torch
import torch.nn as nn
import torch.nn.functional as F
from export import shrink
from frontend import HOP, SAMPLE_RATE_HZ, dft_basis

WHEEL_SHA256 = '8f12eb2f1a9982d32e8db7856de754709b59c93a77bcf0ff536584b619a9dd1f'
WEIGHTS = 'resemblyzer/pretrained.pt'
WINDOW, MELS, HIDDEN, LAYERS, EMBEDDING = 400, 40, 256, 3, 256
# The package raises quieter sound to this level (RMS, dB below full scale).
LEVEL_DB = -30


def slaney_mel(hz):
    """Mel scale of Slaney's Auditory Toolbox: linear to 1 kHz, then logarithmic."""
    log_step = np.log(6.4) / 27
    return np.where(hz < 1000, hz * 3 / 200, 15 + np.log(np.maximum(hz, 1000) / 1000) / log_step)


def mel_bank():
    """[bins, MELS] triangles from 0 to 8 kHz, of unit area."""
    points = np.linspace(0, slaney_mel(np.array(SAMPLE_RATE_HZ / 2)), MELS + 2)
    # The inverse of the scale, by interpolation on a fine grid.
    grid = np.linspace(0, SAMPLE_RATE_HZ / 2, 800_001)
    edges = np.interp(points, slaney_mel(grid), grid)
    hz = np.arange(WINDOW // 2 + 1)[:, None] * SAMPLE_RATE_HZ / WINDOW
    low, center, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (hz - low) / (center - low), (high - hz) / (high - center)
    bank = np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low)
    return torch.tensor(bank, dtype=torch.float32)


class Ge2e(nn.Module):
    """samples [B, n] -> embeddings [B, EMBEDDING] of unit length (Wan et al. 2018)."""

    def __init__(self, weights):
        super().__init__()
        window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
        self.register_buffer('dft', dft_basis(window, WINDOW, 0, WINDOW // 2 + 1))
        self.register_buffer('bank', mel_bank())
        self.lstm = nn.LSTM(MELS, HIDDEN, LAYERS, batch_first=True)
        self.linear = nn.Linear(HIDDEN, EMBEDDING)
        names = self.lstm.state_dict()
        self.lstm.load_state_dict({name: weights['lstm.' + name] for name in names})
        self.linear.load_state_dict(
            {name: weights['linear.' + name] for name in ('weight', 'bias')}
        )

    def mels(self, samples):
        """[B, n // 160 + 1, MELS] powers, not their logarithms."""
        padded = F.pad(samples[:, None], (WINDOW // 2, WINDOW // 2))
        real, imaginary = F.conv1d(padded, self.dft, stride=HOP).chunk(2, 1)
        return torch.matmul((real * real + imaginary * imaginary).transpose(1, 2), self.bank)

    def forward(self, samples):
        level = torch.sqrt((samples * samples).mean(1, keepdim=True) + 1e-12)
        outputs, _ = self.lstm(self.mels(samples * (10 ** (LEVEL_DB / 20) / level)))
        x = torch.relu(self.linear(outputs[:, -1]))
        return x / torch.sqrt((x * x).sum(1, keepdim=True) + 1e-12)


def read_weights(wheel):
    """The weights in the wheel; ValueError if it is another file."""
    with open(wheel, 'rb') as file:
        data = file.read()
    digest = hashlib.sha256(data).hexdigest()
    if digest != WHEEL_SHA256:
        raise ValueError(f'{wheel} has the digest {digest}, not that of Resemblyzer 0.1.4')
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        # The digest above makes this safe: the file may contain any Python object.
        return torch.load(io.BytesIO(archive.read(WEIGHTS)), map_location='cpu')['model_state']


def export(model, path, small=True):
    torch.onnx.export(
        model,
        torch.randn(2, 24000) * 0.05,
        path + '.part',
        opset_version=13,
        input_names=['samples'],
        output_names=['embedding'],
        dynamic_axes={'samples': {0: 'batch', 1: 'n'}, 'embedding': {0: 'batch'}},
    )
    proto = onnx.load(path + '.part')
    shrink(proto.graph, small)
    onnx.checker.check_model(proto)
    onnx.save(proto, path + '.part')
    os.replace(path + '.part', path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('wheel')
    parser.add_argument('out')
    parser.add_argument('--float', action='store_true')
    args = parser.parse_args()
    model = Ge2e(read_weights(args.wheel)).eval()
    export(model, os.path.join(args.out, 'ge2e.onnx'), not args.float)


if __name__ == '__main__':
    main()
