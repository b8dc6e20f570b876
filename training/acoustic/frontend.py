"""Feature extraction as a torch module that is exported inside the ONNX graph.

Training caches `fine_power` and `pitch` of the same module and applies `normalise` after
augmentation, so training and serving cannot diverge.
"""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SAMPLE_RATE_HZ = 16000
HOP = 160  # 10 ms
FRAME_HOPS = 3  # the network emits every 30 ms
FINE_BANDS, BANDS = 128, 64
PITCH_LOW_HZ, PITCH_HIGH_HZ, PITCH_STEPS_PER_OCTAVE = 60.0, 480.0, 32
PITCH_CENTER = 7.4  # log2 of about 170 Hz
EXTRA_FEATURES = 4  # absolute and relative log-F0, its slope, voicing
FEATURES = BANDS + EXTRA_FEATURES


def mel(hz):
    return 1127 * np.log(1 + hz / 700)


def mel_to_hz(m):
    return 700 * (np.exp(m / 1127) - 1)


FINE_CENTERS_HZ = mel_to_hz(np.linspace(mel(60), mel(7600), FINE_BANDS))


def dft_basis(window, size, low_bin, high_bin):
    """[2 * bins, 1, len(window)] cosine and sine rows of a windowed DFT, for Conv1d."""
    n = np.arange(len(window))
    k = np.arange(low_bin, high_bin)[:, None]
    phase = 2 * np.pi * k * n / size
    return torch.tensor(
        np.concatenate([np.cos(phase), np.sin(phase)]) * window, dtype=torch.float32
    )[:, None]


def fine_filterbank(size=512):
    """[bins, FINE_BANDS] triangles at least 40 Hz wide on each side, the resolution of 25 ms."""
    hz = np.arange(size // 2 + 1) * SAMPLE_RATE_HZ / size
    step = np.gradient(FINE_CENTERS_HZ)
    half = np.maximum(step, 40.0)
    bank = np.maximum(0, 1 - np.abs(hz[:, None] - FINE_CENTERS_HZ[None]) / half[None])
    return torch.tensor(bank / bank.sum(0), dtype=torch.float32)


def pooling():
    """[FINE_BANDS, BANDS] triangular pooling of neighboring fine bands."""
    centers = (np.arange(BANDS) + 0.5) * FINE_BANDS / BANDS - 0.5
    tri = np.maximum(0, 1 - np.abs(np.arange(FINE_BANDS)[:, None] - centers[None]) / 2)
    return torch.tensor(tri / tri.sum(0), dtype=torch.float32)


def pitch_kernels(hz):
    """[bins, candidates] cosine lobes at the harmonics, negative in between (after SWIPE', Camacho
    2007)."""
    count = int(math.log2(PITCH_HIGH_HZ / PITCH_LOW_HZ) * PITCH_STEPS_PER_OCTAVE) + 1
    grid = PITCH_LOW_HZ * 2 ** (np.arange(count) / PITCH_STEPS_PER_OCTAVE)
    q = hz[:, None] / grid[None]
    lobes = np.cos(2 * np.pi * q)
    lobes = np.where(
        q < 0.25,
        0,
        np.where(q < 0.75, np.minimum(lobes, 0) * 1.0 + np.maximum(lobes, 0) * 0.5, lobes),
    )
    weight = lobes / np.sqrt(hz[:, None] / grid[None] + 0.5)
    weight = weight / np.sqrt((np.maximum(weight, 0) ** 2).sum(0))
    return torch.tensor(weight, dtype=torch.float32), torch.tensor(
        np.log2(grid), dtype=torch.float32
    )


def normalise(power, mask=None):
    """Log mel features [B, T, BANDS] of band powers, independent of gain and (for long input) of
    the channel.

    Frames are weighted by loudness, so silence around the speech has no effect. The longer the
    speech, the more of its mean spectrum is removed (a single vowel must not be normalised away).
    """
    if mask is None:
        mask = torch.ones_like(power[:, :, :1])
    level = (power.mean(2, keepdim=True) * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)
    log = torch.log(power + 3e-5 * level + 1e-10)
    energy = torch.log(power.mean(2, keepdim=True) + 1e-10) - torch.log(level + 1e-10)
    weight = (torch.sigmoid((energy + 3.0) * 2) + 0.01) * mask
    total = weight.sum(1, keepdim=True)
    band_mean = (log * weight).sum(1, keepdim=True) / total
    mean = band_mean.mean(2, keepdim=True)
    share = 0.8 * total / (total + 100)
    centered = log - share * band_mean - (1 - share) * mean
    deviation = torch.sqrt(
        ((log - mean) ** 2 * weight).sum(1, keepdim=True).mean(2, keepdim=True) / total + 1e-4
    )
    return centered / deviation * mask


def speech_extent(power, margin=15):
    """[B, T] of 0..1 from band powers [B, T, bands]: 1 from `margin` hops before the first sound to
    as many after the last one, so that silence around speech can be left out of means over an
    utterance. Sound is what is at most 22 dB below the mean power; steady noise is sound, too."""
    mean = power.mean(2)
    energy = torch.log(mean + 1e-10) - torch.log(mean.mean(1, keepdim=True) + 1e-10)
    sound = torch.sigmoid((energy + 5) * 2)
    before = torch.cumsum(sound, 1)
    after = before[:, -1:] - before + sound
    # One click of less than 10 ms is not yet speech.
    extent = torch.clamp(before - 0.5, 0, 1) * torch.clamp(after - 0.5, 0, 1)
    return nn.functional.max_pool1d(extent[:, None], 2 * margin + 1, 1, margin)[:, 0]


def tonal(log2_f0, voicing, mask=None):
    """[B, T, 4]: log-F0 relative to the middle of human voices and to the utterance's mean, slope,
    voicing."""
    if mask is None:
        mask = torch.ones_like(voicing)
    v = voicing * mask
    gate = torch.clamp((v - 0.25) * 4, 0, 1)
    mean = (log2_f0 * gate).sum(1, keepdim=True) / (gate.sum(1, keepdim=True) + 1e-3)
    absolute = (log2_f0 - PITCH_CENTER) * gate
    relative = torch.clamp(log2_f0 - mean, -1.2, 1.2) * gate
    ahead = F.pad(relative, (0, 3))[:, 3:]
    behind = F.pad(relative, (3, 0))[:, :-3]
    both = F.pad(gate, (0, 3))[:, 3:] * F.pad(gate, (3, 0))[:, :-3]
    slope = torch.clamp((ahead - behind) * both * 4, -2, 2)
    return torch.stack([absolute * 2, relative * 4, slope, v * 2], 2)


def voicing_of(strength, log2_f0):
    """Voicing 0..1 from salience, corrected for low voices, whose harmonics a 64 ms window barely
    resolves."""
    full = torch.clamp(0.22 + 0.28 * (log2_f0 - 6.09) / 1.23, 0.22, 0.5)
    return torch.clamp((strength - 0.07) / (full - 0.07), 0, 1)


class Frontend(nn.Module):
    """pcm [B, samples] at 16 kHz -> fine band powers [B, T, FINE_BANDS], log2 F0 [B, T], voicing
    0..1 [B, T]."""

    def __init__(self):
        super().__init__()
        self.register_buffer('mel_dft', dft_basis(np.hanning(400), 512, 0, 257))
        self.register_buffer('bank', fine_filterbank())
        self.register_buffer('pool', pooling())
        low, high = 7, 160  # 55..1250 Hz in steps of 7.8 Hz
        self.register_buffer('pitch_dft', dft_basis(np.hanning(1024), 2048, low, high))
        kernels, grid = pitch_kernels(np.arange(low, high) * SAMPLE_RATE_HZ / 2048)
        self.register_buffer('kernels', kernels)
        self.register_buffer('grid', grid)
        self.register_buffer('steps', torch.arange(len(grid), dtype=torch.float32))

    @staticmethod
    def spectrum(pcm, basis, size):
        half = size // 2
        parts = F.conv1d(F.pad(pcm[:, None], (half, half)), basis, stride=HOP)
        real, imaginary = parts.chunk(2, 1)
        return (real * real + imaginary * imaginary).transpose(1, 2)

    def salience(self, pcm):
        """[B, T, candidates] in -1..1: fit of the harmonics of each candidate."""
        loud = torch.sqrt(torch.sqrt(self.spectrum(pcm, self.pitch_dft, 1024) + 1e-9))
        norm = torch.sqrt((loud * loud).sum(2, keepdim=True))
        score = torch.matmul(loud, self.kernels) / norm
        before, after = F.pad(score, (0, 0, 1, 0))[:, :-1], F.pad(score, (0, 0, 0, 1))[:, 1:]
        return 0.5 * score + 0.25 * (before + after)

    def pitch(self, pcm, mask=None):
        """log2 F0 and voicing per frame. A bias towards the utterance's mode reduces octave
        errors. `mask` [B, T] is 0 in padding."""
        salience = self.salience(pcm)
        sharp = torch.clamp(salience, 0, 1) ** 4
        if mask is not None:
            sharp = sharp * mask[:, :, None]
        histogram = sharp.mean(1, keepdim=True)
        offset = self.grid[None, :, None] - self.grid[None, None, :]
        wide = torch.exp(-((offset / 0.35) ** 2))
        center = torch.matmul(histogram, wide).argmax(2, keepdim=True)
        center = self.grid[center.squeeze(2)][:, :, None]
        biased = salience - 0.12 * (self.grid[None, None] - center) ** 2
        best = biased.argmax(2, keepdim=True)
        near = torch.clamp(3 - torch.abs(self.steps[None, None] - best.to(torch.float32)), 0, 1)
        weight = near * torch.clamp(salience, 1e-4, 1) ** 8
        log2_f0 = (weight * self.grid).sum(2) / weight.sum(2)
        strength = (near * salience).sum(2) / near.sum(2)
        return log2_f0, voicing_of(strength, log2_f0)

    def fine_power(self, pcm):
        return torch.matmul(self.spectrum(pcm, self.mel_dft, 400), self.bank)

    def forward(self, pcm):
        log2_f0, voicing = self.pitch(pcm)
        mels = normalise(torch.matmul(self.fine_power(pcm), self.pool))
        return torch.cat([mels, tonal(log2_f0, voicing)], 2)
