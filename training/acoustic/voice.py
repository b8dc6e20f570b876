"""Voice conversion of cached powers: moves formants and redraws harmonics at a new pitch.

Shifting only the pitch features would leave the old harmonics in the low mel bands, from which the
network could learn tones in a way that fails for new speakers. So the old harmonics are blurred
away and new ones drawn.
"""
import numpy as np
import torch
import torch.nn.functional as F

from frontend import FINE_BANDS, FINE_CENTERS_HZ, mel

FINE_MEL = torch.tensor(mel(FINE_CENTERS_HZ), dtype=torch.float32)
FINE_HZ = torch.tensor(FINE_CENTERS_HZ, dtype=torch.float32)
BLUR_HZ = torch.tensor([90.0, 120.0, 160.0, 210.0, 280.0, 360.0])
BAND_WIDTH_HZ = torch.tensor(np.maximum(np.gradient(FINE_CENTERS_HZ), 40.0), dtype=torch.float32)


def blur_matrices():
    """[widths, FINE_BANDS, FINE_BANDS] triangular smoothing over one harmonic spacing each."""
    gap = (FINE_HZ[:, None] - FINE_HZ[None]).abs()
    tri = (1 - gap[None] / torch.maximum(BLUR_HZ[:, None, None], 1.01 * BAND_WIDTH_HZ[None, :, None])).clamp(min=0)
    tri = tri * BAND_WIDTH_HZ[None, :, None]
    return tri / tri.sum(1, keepdim=True)


BLUR = blur_matrices()


def warp_matrices(factor, bend=0.05):
    """[B, FINE_BANDS, FINE_BANDS]: formants moved by `factor` [B], slightly varied along
    frequency."""
    size = len(factor)
    bends = F.interpolate(torch.randn(size, 1, 5), size=FINE_BANDS, mode='linear', align_corners=True)[:, 0] * bend
    hz = FINE_HZ[None] / factor[:, None] * torch.exp(bends)
    wanted = 1127 * torch.log(1 + hz / 700)
    place = ((wanted - FINE_MEL[0]) / (FINE_MEL[1] - FINE_MEL[0])).clamp(0, FINE_BANDS - 1)
    return (1 - (place[:, None, :] - torch.arange(FINE_BANDS)[None, :, None]).abs()).clamp(min=0)


def harmonics(log2_f0):
    """[B, T, FINE_BANDS] powers around 1 of harmonics at the resolution of a 25 ms window."""
    f0 = torch.exp2(log2_f0)[:, :, None]
    resolved = ((f0 - 70) / 120).clamp(0, 1) * (1.5 - 1.2 * BAND_WIDTH_HZ / f0).clamp(0, 1)
    depth = 3.2 * resolved * ((4500 - FINE_HZ) / 3500).clamp(0, 1)
    return torch.exp(depth * (torch.cos(2 * np.pi * FINE_HZ / f0) - 1)) / torch.special.i0e(depth)


def revoice(power, old_log2_f0, new_log2_f0, voicing, chosen):
    """Fine powers with harmonics of `new_log2_f0` [B, T] for utterances with `chosen` [B] true."""
    which = torch.nonzero(chosen)[:, 0]
    if not len(which):
        return power
    gap = (torch.exp2(old_log2_f0[which])[:, None] * 1.1 - BLUR_HZ[None]).abs()
    smooth = torch.bmm(power[which], BLUR[gap.argmin(1)])
    voiced = (voicing[which] * 1.5).clamp(0, 1)[:, :, None]
    out = power.clone()
    out[which] = smooth * (1 + voiced * (harmonics(new_log2_f0[which]) - 1))
    return out
