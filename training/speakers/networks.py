"""Both networks, on features [B, T, FEATURES] of 10 ms. Dense convolutions only, which are fastest
on CPUs with this torch."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from features import FEATURES

EMBEDDING = 160


class Block(nn.Module):
    """Residual dilated convolution."""

    def __init__(self, channels, kernel, dilation, dropout):
        super().__init__()
        self.conv = nn.Conv1d(
            channels,
            channels,
            kernel,
            padding=dilation * (kernel // 2),
            dilation=dilation,
            bias=False,
        )
        self.norm = nn.BatchNorm1d(channels)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x):
        return x + self.dropout(F.silu(self.norm(self.conv(x))))


def pooled(x, attention):
    """Weighted mean and standard deviation over time: [B, C, T] twice -> [B, 2 C, 1]."""
    weight = torch.softmax(attention, 2)
    mean = (x * weight).sum(2, keepdim=True)
    square = (x * x * weight).sum(2, keepdim=True)
    return torch.cat([mean, torch.sqrt(torch.clamp(square - mean * mean, min=1e-5))], 1)


class EmbeddingNet(nn.Module):
    """x-vector with residual blocks, aggregation over depths and attentive statistics (Snyder 2018,
    Desplanques 2020)."""

    channels, wide, kernel, dilations = 224, 384, 3, (1, 2, 3, 1, 2, 3)

    def __init__(self, dropout=0.1):
        super().__init__()
        c, w = self.channels, self.wide
        self.entry = nn.Conv1d(FEATURES, c, 5, stride=2, padding=2, bias=False)
        self.entry_norm = nn.BatchNorm1d(c)
        self.blocks = nn.ModuleList(Block(c, self.kernel, d, dropout) for d in self.dilations)
        self.head_wide = nn.Conv1d(3 * c, w, 1, bias=False)
        self.wide_norm = nn.BatchNorm1d(w)
        self.head_look, self.head_weigh = nn.Conv1d(w, 96, 1), nn.Conv1d(96, w, 1)
        self.pooled_norm = nn.BatchNorm1d(2 * w)
        self.head_out = nn.Conv1d(2 * w, EMBEDDING, 1, bias=False)
        self.out_norm = nn.BatchNorm1d(EMBEDDING)

    def forward(self, features):
        """[B, EMBEDDING], not yet of unit length."""
        x = F.silu(self.entry_norm(self.entry(features.transpose(1, 2))))
        seen = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i % 2:
                seen.append(x)
        x = F.silu(self.wide_norm(self.head_wide(torch.cat(seen, 1))))
        x = self.pooled_norm(pooled(x, self.head_weigh(torch.tanh(self.head_look(x)))))
        return self.out_norm(self.head_out(x))[:, :, 0]


class ActivityNet(nn.Module):
    """[B, ceil(T / 2), 3] logits of none, one, several speakers, every 20 ms; context of 1.2 s on
    each side."""

    channels, kernel, dilations = 96, 5, (1, 2, 4, 8, 1, 2, 4, 8)

    def __init__(self, dropout=0.05):
        super().__init__()
        c = self.channels
        self.entry = nn.Conv1d(FEATURES, c, 5, stride=2, padding=2, bias=False)
        self.entry_norm = nn.BatchNorm1d(c)
        self.blocks = nn.ModuleList(Block(c, self.kernel, d, dropout) for d in self.dilations)
        self.head_out = nn.Conv1d(c, 3, 1)

    def forward(self, features):
        x = F.silu(self.entry_norm(self.entry(features.transpose(1, 2))))
        for block in self.blocks:
            x = block(x)
        return self.head_out(x).transpose(1, 2)


class Margin(nn.Module):
    """Additive angular margin softmax (Deng 2019): cross-entropy over all training voices, for
    embeddings [B, EMBEDDING]."""

    scale = 30.0

    def __init__(self, voices):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(voices, EMBEDDING) * 0.1)

    def forward(self, embedding, voice, margin):
        cosine = F.linear(F.normalize(embedding), F.normalize(self.weight)).clamp(-0.9999, 0.9999)
        own = cosine.gather(1, voice[:, None])
        tight = torch.cos(torch.acos(own) + margin)
        # Beyond pi - margin the cosine would rise again.
        tight = torch.where(own > -math.cos(margin), tight, own - margin * math.sin(margin))
        logits = cosine.scatter(1, voice[:, None], tight) * self.scale
        return (
            F.cross_entropy(logits, voice, label_smoothing=0.02),
            (cosine.argmax(1) == voice).float().mean(),
        )
