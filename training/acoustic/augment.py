"""Augmentation of cached features, vectorised over a batch to leave CPU time for the network.

A batch starts as *rows*: each maps a cached frame (fractional, so that interpolation stretches
time) to a frame of an utterance, with a weight and a pitch shift. Utterances of many overlapping
syllables and plain ones are handled the same way. Everything before the filters works in the power
domain.
"""
import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from frontend import BANDS, FINE_BANDS, FINE_CENTERS_HZ, normalise, pooling, tonal
from speaking import vary_speaking
from voice import revoice, warp_matrices

# On the default device at the first call.
pool = functools.cache(pooling)


@functools.cache
def band_hz():
    return torch.tensor(FINE_CENTERS_HZ, dtype=torch.float32).reshape(BANDS, -1).mean(1)


def uniform(low, high, *shape):
    return torch.rand(*shape) * (high - low) + low


def chance(probability, *shape):
    return (torch.rand(*shape) < probability).float()


def assemble(store, rows, size, length, noisy_pitch):
    """Places rows on the batch: (power [B, T, FINE_BANDS], log2 F0 [B, T], voicing [B, T]).

    rows: dict of 1-D tensors `source` (fractional frame), `last` (last frame of its recording),
    `target` (b * length + t), `weight`, `shift` (octaves). noisy_pitch [B]: 1 takes the pitch
    tracked under noise.
    """
    rows = {key: value.to(store.mel.device) for key, value in rows.items()}
    low = rows['source'].long()
    high = torch.minimum(low + 1, rows['last'])
    part = (rows['source'] - low).float()[:, None]
    log = torch.lerp(store.mel[low].float(), store.mel[high].float(), part)
    power = torch.zeros(size * length, FINE_BANDS)
    power.index_add_(0, rows['target'], log.exp() * rows['weight'][:, None])
    nearest = torch.where(part[:, 0] < 0.5, low, high)
    pitch = store.pitch[nearest].float()
    noisy = noisy_pitch[rows['target'] // length]
    f0 = torch.where(noisy > 0, pitch[:, 2], pitch[:, 0]) + rows['shift']
    voicing = torch.where(noisy > 0, pitch[:, 3], pitch[:, 1])
    trust = rows['weight'] * (voicing + 0.01) ** 2
    sums = torch.zeros(size * length, 3)
    sums.index_add_(
        0, rows['target'], torch.stack([trust * f0, trust, rows['weight'] * voicing], 1)
    )
    f0 = torch.where(
        sums[:, 1] > 0, sums[:, 0] / (sums[:, 1] + 1e-9), torch.full_like(sums[:, 0], 7.4)
    )
    return (
        power.view(size, length, FINE_BANDS),
        f0.view(size, length),
        sums[:, 2].clamp(0, 1).view(size, length),
    )


def vary_pitch(f0, voicing, mask, shift, spread):
    """Shifts and scales each utterance's pitch contour: (log2 F0 [B, T], mean before [B], mean
    after [B])."""
    size, length = f0.shape
    weight = voicing * mask
    soft = smooth(f0 * weight) / (smooth(weight) + 1e-3)
    soft = torch.where(smooth(weight) > 0.05, soft, f0)
    f0 = torch.lerp(f0, soft, uniform(0, 1, size, 1))  # coarticulation of neighboring tones
    mean = (f0 * weight).sum(1, keepdim=True) / (weight.sum(1, keepdim=True) + 1e-3)
    goal = (mean + shift[:, None]).clamp(math.log2(70), math.log2(420))
    f0 = goal + (f0 - mean) * spread[:, None]
    return f0.clamp(math.log2(60), math.log2(480)), mean[:, 0], goal[:, 0]


def spoil_pitch(f0, voicing):
    """Simulates errors of pitch trackers: octave jumps, gaps, jitter."""
    size, length = f0.shape
    f0 = f0 + torch.randn(size, length) * 0.006
    for jump, rate in ((-1.0, 0.08), (1.0, 0.05)):
        f0 = f0 + jump * spans(size, length, rate, 4, 12)
    voicing = voicing * (1 - spans(size, length, 0.15, 3, 15)) * uniform(0.8, 1.1, size, 1)
    return f0.clamp(math.log2(60), math.log2(480)), voicing.clamp(0, 1)


def smooth(x):
    """Averages [B, T] over 7 frames with triangular weights."""
    length, padded = x.shape[1], F.pad(x, (3, 3))
    return (
        sum(weight * padded[:, i : i + length] for i, weight in enumerate((1, 2, 3, 4, 3, 2, 1)))
        / 16
    )


def spans(size, length, rate, shortest, longest):
    """[B, T] of 0/1: with probability `rate` an utterance gets one span of ones."""
    start = (torch.rand(size, 1) * length).long()
    width = torch.randint(shortest, longest + 1, (size, 1))
    time = torch.arange(length)[None]
    return ((time >= start) & (time < start + width)).float() * chance(rate, size, 1)


def reverberate(power, severity):
    """Adds an exponentially decaying tail to up to three in ten utterances."""
    size, length, _ = power.shape
    decay = torch.exp(-0.01 * 13.8 / uniform(0.15, 0.9, size, 1))
    gain = uniform(0.03, 0.35, size, 1) * chance(0.3 * severity, size, 1) * (1 - decay) * 6
    # What is left of a frame t frames later is decay ** t: a convolution in time.
    time = torch.arange(1, length)
    response = torch.cat([torch.ones(size, 1), gain * decay**time], 1)
    # Few different sizes: a GPU plans each new one.
    points = 512 * math.ceil(2 * length / 512)
    both = torch.fft.rfft(power, points, 1) * torch.fft.rfft(response, points, 1)[:, :, None]
    return torch.fft.irfft(both, points, 1)[:, :length].clamp(min=0)


def noise_rows(store):
    """Recordings that become babble."""
    return [row for row in store.index if row['store'] in ('noise', 'eng')]


def noise_like(power, store, noise_index):
    """Noise powers of the shape of `power` [B, T, BANDS]: colored noise with the variance of short
    spectra, or babble."""
    size, length, _ = power.shape
    slope = uniform(-4, 1, size, 1) * torch.linspace(0, 1, BANDS)[None]
    ripple = F.interpolate(torch.randn(size, 1, 8), size=BANDS, mode='linear', align_corners=True)[
        :, 0
    ]
    swell = F.interpolate(
        torch.randn(size, 1, max(2, length // 40)), size=length, mode='linear', align_corners=True
    )[:, 0]
    scatter = -torch.log(torch.rand(size, length, BANDS) + 1e-4) * 0.8 + 0.2
    noise = torch.exp(slope + ripple)[:, None] * torch.exp(swell * 0.5)[:, :, None] * scatter
    babbling = np.flatnonzero(np.random.rand(size) < 0.35)
    if len(babbling):
        mix = babble(store, noise_index, len(babbling), length)
        noise[torch.from_numpy(babbling).to(noise.device)] = torch.matmul(mix, pool())
    return noise


def babble(store, noise_index, size, length):
    """[B, T, FINE_BANDS] powers of one to four recordings at a time."""
    mix = torch.zeros(size, length, FINE_BANDS)
    voices = np.random.randint(1, 5, size)
    for voice in range(4):
        frames = np.zeros((size, length), np.int64)
        for b in range(size):
            row = noise_index[np.random.randint(len(noise_index))]
            start = np.random.randint(max(1, row['frames'] - length))
            frames[b] = (
                row['start'] + start + np.arange(length) % min(length, row['frames'] - start)
            )
        power = store.mel[torch.from_numpy(frames).to(store.mel.device)].float().exp()
        mix = mix + power * torch.from_numpy(voices > voice).to(mix.device)[:, None, None]
    return mix


def filters(size, severity):
    """[B, BANDS] log gains: a random smooth equalizer and, for some, a band limit as of
    telephones."""
    eq = F.interpolate(torch.randn(size, 1, 7), size=BANDS, mode='linear', align_corners=True)[
        :, 0
    ] * uniform(0, 1.2, size, 1)
    low = torch.where(
        torch.rand(size) < 0.2 * severity, uniform(150, 380, size), torch.zeros(size)
    )[:, None]
    kinds = torch.tensor([3300.0, 3700.0, 4000.0, 5000.0, 5500.0, 7000.0])
    high = torch.where(
        torch.rand(size) < 0.33 * severity,
        kinds[torch.randint(6, (size,))] * uniform(0.95, 1.05, size),
        torch.full((size,), 9000.0),
    )[:, None]
    hz = band_hz()[None]
    cut = -((hz - high) / 200).clamp(0, 6) * 2.5 - ((low - hz) / 40).clamp(0, 6) * 1.5
    return eq + cut


def mask_patches(mels):
    """SpecAugment: sets two frequency bands and up to two time spans to the mean."""
    size, length, bands = mels.shape
    keep = torch.ones_like(mels)
    for _ in range(2):
        start, width = torch.randint(bands, (size, 1)), torch.randint(0, 8, (size, 1))
        index = torch.arange(bands)[None]
        keep = keep * (1 - ((index >= start) & (index < start + width)).float())[:, None, :]
        keep = keep * (1 - spans(size, length, 0.4, 2, 9))[:, :, None]
    return mels * keep


def augment(store, noise_index, batch, severity=1.0, people=None):
    """Augmented features [B, T, FEATURES] of a batch of rows. `severity` scales the frequency of
    rooms, noise and channels. With `people` (spectra.People) utterances also vary in articulation
    and in the spectrum and its range, as they do between people."""
    size, length = len(batch['hops']), int(batch['hops'].max())
    mask = (torch.arange(length)[None] < batch['hops'][:, None]).float()
    power, f0, voicing = assemble(store, batch['rows'], size, length, chance(0.4, size))
    f0, before, after = vary_pitch(f0, voicing, mask, batch['shift'], batch['spread'])
    power = torch.bmm(power, warp_matrices(batch['warp']))
    power = revoice(
        power, before, f0, voicing, ((after - before).abs() > 0.15) & (torch.rand(size) < 0.85)
    )
    if people is not None:
        power = vary_speaking(power, voicing)
    power = torch.matmul(power, pool())
    if people is not None:
        power = people.imitate(power, batch['speaker'])
    f0, voicing = spoil_pitch(f0, voicing)
    power = reverberate(power, severity)
    level = (power.mean(2) * mask).sum(1) / mask.sum(1)
    noise = noise_like(power, store, noise_index)
    noise_level = (noise.mean(2) * mask).sum(1) / mask.sum(1)
    snr_db = torch.where(
        torch.rand(size) > 0.6 * severity, torch.full((size,), 50.0), uniform(6, 40, size)
    )
    power = power + noise * (level / (noise_level + 1e-9) * 10 ** (-snr_db / 10))[:, None, None]
    power = power * torch.exp(filters(size, severity))[:, None]
    mels = normalise(power, mask[:, :, None])
    return torch.cat([mask_patches(mels), tonal(f0, voicing, mask)], 2) * mask[:, :, None]


def plain(store, batch):
    """The same features without augmentation, for evaluation."""
    size, length = len(batch['hops']), int(batch['hops'].max())
    mask = (torch.arange(length)[None] < batch['hops'][:, None]).float()
    power, f0, voicing = assemble(store, batch['rows'], size, length, torch.zeros(size))
    mels = normalise(torch.matmul(power, pool()), mask[:, :, None])
    return torch.cat([mels, tonal(f0, voicing, mask)], 2) * mask[:, :, None]
