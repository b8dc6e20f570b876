"""The network: one convolutional encoder on 30 ms frames, one head per language, joint onset / rime
x tone scores."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from frontend import FEATURES, FRAME_HOPS
from labels import LANGUAGES
from phones import SHARED

CHANNELS, BLOCKS, KERNEL = 224, 9, 5
DILATIONS = (1, 2, 3)  # in turn: about 1.1 s of context on each side


def product(conv, x):
    """The result of a convolution as one product of matrices."""
    (width,), (dilation,), (padding,), (stride,) = (
        conv.kernel_size,
        conv.dilation,
        conv.padding,
        conv.stride,
    )
    frames = (x.shape[2] + 2 * padding - dilation * (width - 1) - 1) // stride + 1
    x = F.pad(x, (padding, padding))
    columns = torch.cat(
        [
            x[:, :, k * dilation : k * dilation + (frames - 1) * stride + 1 : stride]
            for k in range(width)
        ],
        1,
    )
    out = torch.matmul(conv.weight.permute(0, 2, 1).flatten(1), columns)
    return out if conv.bias is None else out + conv.bias[:, None]


class Convolution(nn.Conv1d):
    """On a GPU a product of matrices: cuDNN takes 2 ms to plan a convolution of a new shape, and
    almost every batch has one."""

    def forward(self, x):
        return product(self, x) if x.is_cuda else super().forward(x)


class Gate(nn.Module):
    """Scales channels by the sound of the whole utterance (squeeze and excitation, Hu et al. 2018),
    which in a large model is the voice. It changes nothing at first."""

    def __init__(self, channels):
        super().__init__()
        self.squeeze = nn.Linear(channels, channels // 8)
        self.excite = nn.Linear(channels // 8, channels)
        nn.init.zeros_(self.excite.weight)
        nn.init.zeros_(self.excite.bias)

    def forward(self, x, mask):
        mean = (x * mask).sum(2) / mask.sum(2)
        return x * (2 * torch.sigmoid(self.excite(F.silu(self.squeeze(mean)))))[:, :, None]


class Narrow(nn.Module):
    """A convolution over fewer channels, `rank`: its matrix is a product of two (narrow.py)."""

    def __init__(self, channels, rank, dilation):
        super().__init__()
        self.inner = Convolution(
            channels, rank, KERNEL, padding=dilation * (KERNEL // 2), dilation=dilation, bias=False
        )
        self.outer = Convolution(rank, channels, 1)

    def forward(self, x):
        return self.outer(self.inner(x))


class Block(nn.Module):
    """Residual dilated convolution. Dense, as depthwise ones are slower on CPUs in this version of
    torch."""

    def __init__(self, channels, dilation, dropout, rank=None):
        super().__init__()
        self.conv = (
            Narrow(channels, rank, dilation)
            if rank
            else Convolution(
                channels,
                channels,
                KERNEL,
                padding=dilation * (KERNEL // 2),
                dilation=dilation,
                bias=False,
            )
        )
        self.norm = nn.BatchNorm1d(channels)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x):
        return x + self.dropout(F.silu(self.norm(self.conv(x))))


class Encoder(nn.Module):
    """[B, T, FEATURES] at 10 ms -> [B, channels, ceil(T / 3)] at 30 ms."""

    def __init__(self, dropout=0.07, channels=CHANNELS, blocks=BLOCKS, gates=False, ranks=None):
        super().__init__()
        ranks = ranks or [None] * blocks
        self.entry = Convolution(FEATURES, channels, 9, stride=FRAME_HOPS, padding=4, bias=False)
        self.entry_norm = nn.BatchNorm1d(channels)
        self.blocks = nn.ModuleList(
            Block(channels, DILATIONS[i % len(DILATIONS)], dropout, ranks[i]) for i in range(blocks)
        )
        self.gates = nn.ModuleList(Gate(channels) for _ in range(blocks)) if gates else None

    def forward(self, features, frames=None):
        """`frames` [B]: how many of the 30 ms frames are not padding; all of them by default."""
        x = F.silu(self.entry_norm(self.entry(features.transpose(1, 2))))
        if self.gates is not None:
            frames = torch.full((len(x),), x.shape[2]) if frames is None else frames
            mask = frame_mask(frames.to(x.device), x.shape[2])[:, None]
        for i, block in enumerate(self.blocks):
            x = block(x)
            if self.gates is not None:
                x = self.gates[i](x, mask)
        return x


class Head(nn.Module):
    """Encoder frames -> (symbol log-probabilities [B, T, S], tone log-probabilities [B, T, tones]
    or None)."""

    def __init__(self, language, channels=CHANNELS):
        super().__init__()
        self.symbol = Convolution(channels, len(language.symbols), 1)
        self.tone = Convolution(channels, language.tones, 1) if language.tones else None

    def forward(self, x):
        symbol = F.log_softmax(self.symbol(x).transpose(1, 2), 2)
        return symbol, None if self.tone is None else F.log_softmax(self.tone(x).transpose(1, 2), 2)


def joint(language, symbol, tone):
    """[B, T, joint_size] log-probabilities over blank, onsets and toned rimes; sums to one by
    construction."""
    if tone is None:
        return symbol
    plain, rimes = symbol[:, :, : language.first_rime], symbol[:, :, language.first_rime :]
    toned = (rimes[:, :, :, None] + tone[:, :, None, :]).flatten(2)
    return torch.cat([plain, toned], 2)


class AcousticModel(nn.Module):
    """Encoder shared by all languages, and a head for each. The default size ships."""

    def __init__(
        self,
        languages=tuple(LANGUAGES),
        dropout=0.07,
        channels=CHANNELS,
        blocks=BLOCKS,
        gates=False,
        ranks=None,
    ):
        super().__init__()
        self.encoder = Encoder(dropout, channels, blocks, gates, ranks)
        self.heads = nn.ModuleDict({name: Head(LANGUAGES[name], channels) for name in languages})
        self.heads['phone'] = Head(SHARED, channels)  # training only, see phones.py
        # Language identification: scores per frame; their mean over a recording decides
        # (language_scores).
        self.language = Convolution(channels, len(LANGUAGES), 1)

    def forward(self, features, language='yue', frames=None):
        return self.heads[language](self.encoder(features, frames))


def model_of(state, dropout=0.07):
    """A model of the size of its state, with that state, float32."""
    norms = [
        name
        for name in state
        if name.startswith('encoder.blocks.') and name.endswith('.norm.weight')
    ]
    inner = [state.get(f'encoder.blocks.{i}.conv.inner.weight') for i in range(len(norms))]
    model = AcousticModel(
        dropout=dropout,
        channels=state['encoder.entry.weight'].shape[0],
        blocks=len(norms),
        gates='encoder.gates.0.squeeze.weight' in state,
        ranks=[None if weight is None else weight.shape[0] for weight in inner],
    )
    model.load_state_dict(
        {
            name: value.float() if value.is_floating_point() else value
            for name, value in state.items()
        }
    )
    return model


def to_int8(matrix):
    """(int8 rows, scale of each row) of a float tensor of at least two dimensions."""
    scale = matrix.float().flatten(1).abs().max(1)[0] / 127 + 1e-12
    return torch.round(matrix.float() / by_row(scale, matrix)).to(torch.int8), scale


def from_int8(rows, scale):
    """The float32 tensor that `to_int8` rounded."""
    return rows.float() * by_row(scale, rows)


def by_row(scale, matrix):
    return scale.view(-1, *[1] * (matrix.dim() - 1))


def pack(state):
    """A state with matrices as pairs of `to_int8`: a quarter of its size as float32."""
    return {
        name: to_int8(value) if value.is_floating_point() and value.dim() > 1 else value
        for name, value in state.items()
    }


def read_weights(path):
    """The averaged weights of a checkpoint, packed or not, on the CPU."""
    state = torch.load(path, map_location='cpu')['average']
    return {
        name: from_int8(*value) if isinstance(value, tuple) else value
        for name, value in state.items()
    }


def frame_mask(frames, length):
    """[B, length], 1 for the frames of each row, on the device of `frames`."""
    return (torch.arange(length, device=frames.device)[None] < frames[:, None]).float()


def language_scores(frame_scores, frames):
    """[B, languages] means of [B, languages, T] over the frame counts [B] of each row."""
    mask = frame_mask(frames.to(frame_scores.device), frame_scores.shape[2])[:, None]
    return (frame_scores * mask).sum(2) / mask.sum(2)


def frame_count(hops):
    """Number of network frames for a number of 10 ms hops."""
    return (hops + FRAME_HOPS - 1) // FRAME_HOPS
