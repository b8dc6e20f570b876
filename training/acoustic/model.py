"""The network: one convolutional encoder on 30 ms frames, one head per language, joint onset / rime
x tone scores."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from frontend import FEATURES, FRAME_HOPS
from labels import LANGUAGES
from phones import SHARED

CHANNELS, BLOCKS, KERNEL = 224, 9, 5
DILATIONS = (1, 2, 3)           # in turn: about 1.1 s of context on each side


class Block(nn.Module):
    """Residual dilated convolution. Dense, as depthwise ones are slower on CPUs in this version of
    torch."""

    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, KERNEL, padding=dilation * (KERNEL // 2), dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(channels)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x):
        return x + self.dropout(F.silu(self.norm(self.conv(x))))


class Encoder(nn.Module):
    """[B, T, FEATURES] at 10 ms -> [B, channels, ceil(T / 3)] at 30 ms."""

    def __init__(self, dropout=0.07, channels=CHANNELS, blocks=BLOCKS):
        super().__init__()
        self.entry = nn.Conv1d(FEATURES, channels, 9, stride=FRAME_HOPS, padding=4, bias=False)
        self.entry_norm = nn.BatchNorm1d(channels)
        self.blocks = nn.ModuleList(Block(channels, DILATIONS[i % len(DILATIONS)], dropout) for i in range(blocks))

    def forward(self, features):
        x = F.silu(self.entry_norm(self.entry(features.transpose(1, 2))))
        for block in self.blocks:
            x = block(x)
        return x


class Head(nn.Module):
    """Encoder frames -> (symbol log-probabilities [B, T, S], tone log-probabilities [B, T, tones]
    or None)."""

    def __init__(self, language, channels=CHANNELS):
        super().__init__()
        self.symbol = nn.Conv1d(channels, len(language.symbols), 1)
        self.tone = nn.Conv1d(channels, language.tones, 1) if language.tones else None

    def forward(self, x):
        symbol = F.log_softmax(self.symbol(x).transpose(1, 2), 2)
        return symbol, None if self.tone is None else F.log_softmax(self.tone(x).transpose(1, 2), 2)


def joint(language, symbol, tone):
    """[B, T, joint_size] log-probabilities over blank, onsets and toned rimes; sums to one by
    construction."""
    if tone is None:
        return symbol
    plain, rimes = symbol[:, :, :language.first_rime], symbol[:, :, language.first_rime:]
    toned = (rimes[:, :, :, None] + tone[:, :, None, :]).flatten(2)
    return torch.cat([plain, toned], 2)


class AcousticModel(nn.Module):
    """Encoder shared by all languages, and a head for each. The default size ships."""

    def __init__(self, languages=tuple(LANGUAGES), dropout=0.07, channels=CHANNELS, blocks=BLOCKS):
        super().__init__()
        self.encoder = Encoder(dropout, channels, blocks)
        self.heads = nn.ModuleDict({name: Head(LANGUAGES[name], channels) for name in languages})
        self.heads['phone'] = Head(SHARED, channels)        # training only, see phones.py
        # Language identification: scores per frame; their mean over a recording decides
        # (language_scores).
        self.language = nn.Conv1d(channels, len(LANGUAGES), 1)

    def forward(self, features, language='yue'):
        return self.heads[language](self.encoder(features))


def model_of(state):
    """A model of the size of its state, with that state, float32."""
    blocks = sum(name.startswith('encoder.blocks.') and name.endswith('.conv.weight') for name in state)
    model = AcousticModel(channels=state['encoder.entry.weight'].shape[0], blocks=blocks)
    model.load_state_dict({name: value.float() if value.is_floating_point() else value for name, value in state.items()})
    return model


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
