"""Voice conversion of cached powers: moves formants and redraws harmonics at a new pitch.

Shifting only the pitch features would leave the old harmonics in the low mel bands, from which the
network could learn tones in a way that fails for new speakers. So the old harmonics are blurred
away and new ones drawn.
"""
import functools

import numpy as np
import torch
import torch.nn.functional as F

from frontend import FINE_BANDS, FINE_CENTERS_HZ, mel

BLUR_HZ = [90.0, 120.0, 160.0, 210.0, 280.0, 360.0]


class Tables:
    """Constants on the device that is the default when they are first needed."""

    def __init__(self):
        self.fine_mel = torch.tensor(mel(FINE_CENTERS_HZ), dtype=torch.float32)
        self.fine_hz = torch.tensor(FINE_CENTERS_HZ, dtype=torch.float32)
        self.band_width_hz = torch.tensor(
            np.maximum(np.gradient(FINE_CENTERS_HZ), 40.0), dtype=torch.float32
        )
        self.blur_hz = torch.tensor(BLUR_HZ)
        self.blur = self.blur_matrices()

    def blur_matrices(self):
        """[widths, FINE_BANDS, FINE_BANDS] triangular smoothing over one harmonic spacing each."""
        gap = (self.fine_hz[:, None] - self.fine_hz[None]).abs()
        widths = torch.maximum(
            self.blur_hz[:, None, None], 1.01 * self.band_width_hz[None, :, None]
        )
        tri = (1 - gap[None] / widths).clamp(min=0) * self.band_width_hz[None, :, None]
        return tri / tri.sum(1, keepdim=True)


tables = functools.cache(Tables)


def warp_matrices(factor, bend=0.05):
    """[B, FINE_BANDS, FINE_BANDS]: formants moved by `factor` [B], slightly varied along
    frequency."""
    size = len(factor)
    bends = (
        F.interpolate(torch.randn(size, 1, 5), size=FINE_BANDS, mode='linear', align_corners=True)[
            :, 0
        ]
        * bend
    )
    fine_mel = tables().fine_mel
    hz = tables().fine_hz[None] / factor[:, None] * torch.exp(bends)
    wanted = 1127 * torch.log(1 + hz / 700)
    place = ((wanted - fine_mel[0]) / (fine_mel[1] - fine_mel[0])).clamp(0, FINE_BANDS - 1)
    return (1 - (place[:, None, :] - torch.arange(FINE_BANDS)[None, :, None]).abs()).clamp(min=0)


def harmonics(log2_f0):
    """[B, T, FINE_BANDS] powers around 1 of harmonics at the resolution of a 25 ms window."""
    f0, fine_hz = torch.exp2(log2_f0)[:, :, None], tables().fine_hz
    resolved = ((f0 - 70) / 120).clamp(0, 1) * (1.5 - 1.2 * tables().band_width_hz / f0).clamp(0, 1)
    depth = 3.2 * resolved * ((4500 - fine_hz) / 3500).clamp(0, 1)
    return torch.exp(depth * (torch.cos(2 * np.pi * fine_hz / f0) - 1)) / torch.special.i0e(depth)


def revoice(power, old_log2_f0, new_log2_f0, voicing, chosen):
    """Fine powers with harmonics of `new_log2_f0` [B, T] for utterances with `chosen` [B] true."""
    which = torch.nonzero(chosen)[:, 0]
    if not len(which):
        return power
    gap = (torch.exp2(old_log2_f0[which])[:, None] * 1.1 - tables().blur_hz[None]).abs()
    smooth = torch.bmm(power[which], tables().blur[gap.argmin(1)])
    voiced = (voicing[which] * 1.5).clamp(0, 1)[:, :, None]
    out = power.clone()
    out[which] = smooth * (1 + voiced * (harmonics(new_log2_f0[which]) - 1))
    return out
