"""The network that tells people from machines, on log mels [B, T, BANDS] of 10 ms."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BANDS = 48


class Block(nn.Module):
    """Residual dilated convolution."""

    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.conv = nn.Conv1d(
            channels, channels, 3, padding=dilation, dilation=dilation, bias=False
        )
        self.norm = nn.BatchNorm1d(channels)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x):
        return x + self.dropout(F.silu(self.norm(self.conv(x))))


class LikenessNet(nn.Module):
    """Half a second around each frame -> logit [B, T] that a person speaks there. Short, so that it
    judges sounds and joins, not what is said nor how long a sentence is."""

    def __init__(self, channels=40, dropout=0.1):
        super().__init__()
        sizes = (1, 12, 20, 28)
        self.images = nn.ModuleList(
            nn.Conv2d(a, b, (5, 3), padding=(2, 1), stride=(1, 2), bias=False)
            for a, b in zip(sizes, sizes[1:])
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(size) for size in sizes[1:])
        self.narrow = nn.Conv1d(sizes[-1] * BANDS // 8, channels, 5, padding=2, bias=False)
        self.norm = nn.BatchNorm1d(channels)
        self.blocks = nn.ModuleList(Block(channels, dilation, dropout) for dilation in (1, 2, 4))
        self.last = nn.Conv1d(channels, 1, 1)

    def forward(self, mels):
        x = mels[:, None]
        for conv, norm in zip(self.images, self.norms):
            x = F.silu(norm(conv(x)))
        x = x.permute(0, 1, 3, 2).flatten(1, 2)
        x = F.silu(self.norm(self.narrow(x)))
        for block in self.blocks:
            x = block(x)
        return self.last(x)[:, 0]


def pooled(logits, is_speech):
    """Mean logit over the frames with speech: [B, T] twice -> [B]."""
    weight = is_speech + 1e-6
    return (logits * weight).sum(1) / weight.sum(1)


def export(net, path):
    """Writes the ONNX graph that eval/tts/likeness-judges.ts opens."""
    net.eval()
    torch.onnx.export(
        net,
        torch.zeros(1, 100, BANDS),
        path,
        opset_version=13,
        input_names=['mels'],
        output_names=['logits'],
        dynamic_axes={'mels': {1: 'frames'}, 'logits': {1: 'frames'}},
    )
