"""Whisper's log mels: 25 ms Hann windows every 10 ms, 80 bands on Slaney's scale, the logarithm to
base 10 limited to 8 below the loudest value of the window."""

import numpy as np
import torch

SAMPLE_RATE_HZ, WINDOW, HOP, MELS = 16000, 400, 160, 80
FRAME_SAMPLES = 2 * HOP  # of the encoder
BINS = WINDOW // 2 + 1
# Slaney's scale: linear up to 1 kHz, then 27 steps for each factor of 6.4.
LINEAR_HZ, STEP_HZ, LOG_STEP = 1000.0, 200 / 3, np.log(6.4) / 27


def hz_to_mel(hz):
    hz = np.asarray(hz, float)
    above = LINEAR_HZ / STEP_HZ + np.log(np.maximum(hz, LINEAR_HZ) / LINEAR_HZ) / LOG_STEP
    return np.where(hz < LINEAR_HZ, hz / STEP_HZ, above)


def mel_to_hz(mel):
    knee = LINEAR_HZ / STEP_HZ
    return np.where(mel < knee, mel * STEP_HZ, LINEAR_HZ * np.exp(LOG_STEP * (mel - knee)))


def mel_filters(warp=1.0):
    """[MELS, BINS]. A `warp` above 1 reads every band at a frequency higher by that factor, as from
    a shorter vocal tract; it fades out above 4.8 kHz, so that the highest band stays."""
    edges = mel_to_hz(np.linspace(hz_to_mel(0), hz_to_mel(SAMPLE_RATE_HZ / 2), MELS + 2))
    bins = np.linspace(0, SAMPLE_RATE_HZ / 2, BINS)
    weights = []
    for low, center, high in zip(edges, edges[1:], edges[2:]):
        rising, falling = (bins - low) / (center - low), (high - bins) / (high - center)
        weights.append(np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low))
    filters = np.array(weights)
    if warp != 1:
        knee = 4800.0
        end = SAMPLE_RATE_HZ / 2
        # Frequencies that are read, of the bins as they are shown.
        read = np.where(
            bins <= knee,
            bins * warp,
            warp * knee + (bins - knee) * (end - warp * knee) / (end - knee),
        )
        position = np.clip(read / end * (BINS - 1), 0, BINS - 1)
        floor = np.minimum(position.astype(int), BINS - 2)
        share = position - floor
        moved = np.zeros_like(filters)
        for shown in range(BINS):
            moved[:, floor[shown]] += filters[:, shown] * (1 - share[shown])
            moved[:, floor[shown] + 1] += filters[:, shown] * share[shown]
        filters = moved
    return torch.tensor(filters, dtype=torch.float32)


FILTERS, HANN = mel_filters(), torch.hann_window(WINDOW)


def powers(pcm):
    """[B, BINS, frames] of samples [B, count]."""
    spectrum = torch.stft(pcm, WINDOW, HOP, window=HANN, return_complex=True)
    return spectrum[..., :-1].abs() ** 2


def log_mels(power, filters=FILTERS):
    """[B, MELS, frames] of powers."""
    mels = torch.clamp(filters @ power, min=1e-10).log10()
    return (torch.maximum(mels, mels.amax((1, 2), keepdim=True) - 8) + 4) / 4


def at_peak(pcm):
    """Samples scaled to a peak of 1, as the model hears them."""
    return pcm / (np.abs(pcm).max() + 1e-6)
