"""Features of both networks: 64 log mels and the harmonics of the voice, per 10 ms.

`Bands` is exported inside the graph (transforms as convolutions); `fast_features` computes the same
with FFTs for training.
"""
import functools

import people  # noqa: F401  (finds the acoustic models' front end)
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from frontend import HOP, dft_basis, fine_filterbank, normalise, pooling

SHORT, SHORT_SIZE = 400, 512  # 25 ms
# 64 ms resolves the harmonics of any voice: 62 to 484 Hz in steps of 15.6 Hz
LONG, LOW_BIN, HIGH_BIN = 1024, 4, 32
MELS, FEATURES = 64, 64 + HIGH_BIN - LOW_BIN
BANK = torch.matmul(fine_filterbank(), pooling())  # [257, 64]
WINDOWS = {size: torch.tensor(np.hanning(size), dtype=torch.float32) for size in (SHORT, LONG)}


def harmonics(power, mel_power):
    """Shape of the lowest 500 Hz, frame by frame; energy far below the window's speech is
    clipped."""
    level = mel_power.mean((1, 2), keepdim=True)
    log = torch.log(power + 1e-2 * level + 1e-10)
    return (log - log.mean(2, keepdim=True)) * 0.6


def combine(mel_power, low_power):
    """[B, T, FEATURES] of band powers, independent of gain; removes half of the mean spectrum of a
    short window."""
    return torch.cat([normalise(mel_power), harmonics(low_power, mel_power)], 2)


def fast_power(samples, window, size, first, last):
    half = window // 2
    frames = (
        F.pad(samples, (half, half)).unfold(1, window, HOP) * on_device(samples.device)[0][window]
    )
    spectrum = torch.fft.rfft(frames, size)[:, :, first:last]
    return spectrum.real**2 + spectrum.imag**2


# Factors of the formants at the same pitch, from 0.75 to 1.35; SAME is the factor 1.
FORMANTS = 1.01 ** np.arange(-29, 31)
SAME = 29


def warped_bank(factor):
    """BANK for spectra whose envelope is stretched by a factor."""
    place = (torch.arange(257) / factor).clamp(max=256)
    low = place.floor().long().clamp(max=255)
    stretch = torch.zeros(257, 257)
    stretch[low, torch.arange(257)] = 1 - (place - low)
    stretch[low + 1, torch.arange(257)] += place - low
    return torch.matmul(stretch, BANK)


@functools.cache
def on_device(device):
    """(windows, bank, banks of all FORMANTS) on a device."""
    banks = torch.stack([warped_bank(factor) for factor in FORMANTS])
    return (
        {size: window.to(device) for size, window in WINDOWS.items()},
        BANK.to(device),
        banks.to(device),
    )


def fast_features(samples, warps=None):
    """samples [B, n] -> [B, n // 160 + 1, FEATURES]. `warps` [B]: an index of FORMANTS for each."""
    _, bank, banks = on_device(samples.device)
    bank = bank if warps is None else banks[warps]
    mels = torch.matmul(fast_power(samples, SHORT, SHORT_SIZE, 0, 257), bank)
    return combine(mels, fast_power(samples, LONG, LONG, LOW_BIN, HIGH_BIN))


class Bands(nn.Module):
    """`fast_features` with operators that every ONNX runtime supports."""

    def __init__(self):
        super().__init__()
        self.register_buffer('short_dft', dft_basis(np.hanning(SHORT), SHORT_SIZE, 0, 257))
        self.register_buffer('long_dft', dft_basis(np.hanning(LONG), LONG, LOW_BIN, HIGH_BIN))
        self.register_buffer('bank', BANK.clone())

    @staticmethod
    def power(samples, basis, window):
        half = window // 2
        parts = F.conv1d(F.pad(samples[:, None], (half, half)), basis, stride=HOP)
        real, imaginary = parts.chunk(2, 1)
        return (real * real + imaginary * imaginary).transpose(1, 2)

    def forward(self, samples):
        mels = torch.matmul(self.power(samples, self.short_dft, SHORT), self.bank)
        return combine(mels, self.power(samples, self.long_dft, LONG))
