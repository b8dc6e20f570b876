"""Ways in which people speak differently, beyond pitch and formants, on fine powers.

One recorded speaker would otherwise teach the network the details of his own sounds. Each change
concerns some utterances, with a strength of its own.
"""
import torch
import torch.nn.functional as F

from frontend import FINE_BANDS

UTTERANCES = 0.4  # share of utterances that are changed


def between(low, high, size):
    return torch.rand(size, 1, 1) * (high - low) + low


def chosen(probability, size):
    return (torch.rand(size, 1, 1) < probability).float()


def smooth_curve(size, points):
    """[B, 1, FINE_BANDS] smooth random curves of unit variance at their control points."""
    return F.interpolate(
        torch.randn(size, 1, points), size=FINE_BANDS, mode='linear', align_corners=True
    )


def mean_over_bands(log, width):
    """Means over `width` (odd) neighboring bands of [B, T, FINE_BANDS]."""
    padded = F.pad(log, (width // 2, width // 2), mode='replicate')
    return F.avg_pool1d(padded, width, 1)


def mean_over_time(log, width):
    """Means over `width` (odd) neighboring frames of [B, T, FINE_BANDS]."""
    return mean_over_bands(log.transpose(1, 2), width).transpose(1, 2)


def vary_speaking(power, voicing):
    """Powers [B, T, FINE_BANDS] with other articulation, bandwidths, dynamics and voice quality;
    voicing [B, T]."""
    size, length, _ = power.shape
    log = torch.log(power + 1e-9)
    unchanged = log
    # Articulation: formants that move less, as in fast or careless speech.
    blurred = mean_over_time(log, 5)
    wide = mean_over_time(blurred, 5)
    towards = between(0, 1, size) * chosen(0.5, size)
    log = log + towards * (torch.where(torch.rand(size, 1, 1) < 0.6, blurred, wide) - log)
    # Bandwidths of formants: deeper or shallower peaks.
    broad = mean_over_bands(log, 25)
    log = broad + (log - broad) * (1 + between(-0.4, 0.4, size) * chosen(0.7, size))
    # Dynamics: weak sounds nearer to the strong ones or farther away.
    level = torch.logsumexp(log, 2, keepdim=True)
    below = (level - level.amax(1, keepdim=True)).clamp(min=-9)
    log = log + below * between(-0.3, 0.35, size) * chosen(0.7, size)
    # Voiced and unvoiced sounds have spectra of their own.
    voiced = (voicing * 1.5).clamp(0, 1)[:, :, None]
    of_voiced = smooth_curve(size, 5) * torch.rand(size, 1, 1)
    of_unvoiced = smooth_curve(size, 5) * torch.rand(size, 1, 1) + torch.randn(size, 1, 1) * 0.8
    log = log + voiced * of_voiced + (1 - voiced) * of_unvoiced
    # Slow changes over a recording.
    field = torch.randn(size, 1, max(2, length // 25), 6)
    field = F.interpolate(field, size=(length, FINE_BANDS), mode='bilinear', align_corners=True)[
        :, 0
    ]
    log = log + field * between(0, 0.8, size) * chosen(0.7, size)
    return torch.exp(torch.where(torch.rand(size, 1, 1) < UTTERANCES, log, unchanged))
