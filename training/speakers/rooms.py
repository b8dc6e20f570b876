"""Random room, noise, microphone and channel for every sound of a batch, via its spectrum: [B, n]
in, [B, n] out."""
import functools

import numpy as np
import torch

RATE_HZ = 16000
# band limits of telephones, old recordings and codecs
BANDS_HZ = (3400.0, 3700.0, 4000.0, 5500.0, 7000.0)


def uniform(low, high, *shape, device):
    return torch.rand(*shape, device=device) * (high - low) + low


def chance(probability, *shape, device):
    return (torch.rand(*shape, device=device) < probability).float()


@functools.lru_cache(maxsize=64)
def curve_basis(size, knots, device):
    """[knots, size // 2 + 1] linear interpolation along a logarithmic axis from 60 Hz to 8 kHz."""
    hz = np.fft.rfftfreq(size, 1 / RATE_HZ)
    place = np.clip(np.log2(np.maximum(hz, 1) / 60) / np.log2(8000 / 60), 0, 1) * (knots - 1)
    basis = np.maximum(0, 1 - np.abs(place[None] - np.arange(knots)[:, None]))
    return torch.tensor(basis, dtype=torch.float32, device=device)


def impulse_responses(count, rng=np.random.default_rng(3)):
    """[count, 6400] of unit energy: direct sound, a few early reflections, a decaying tail with
    less treble."""
    length, out = 6400, []
    time = np.arange(length) / RATE_HZ
    for _ in range(count):
        tail = rng.standard_normal(length) * np.exp(-6.9 * time / rng.uniform(0.12, 1.0))
        tail = np.convolve(tail, rng.uniform(0.2, 0.7) ** np.arange(6))[:length]
        tail[: int(rng.uniform(0.002, 0.02) * RATE_HZ)] = 0
        response = tail / np.sqrt((tail**2).sum()) * 10 ** (-rng.uniform(-8, 14) / 20)
        for _ in range(rng.integers(0, 6)):
            response[rng.integers(8, 600)] += rng.uniform(-0.5, 0.5)
        response[0] += 1
        out.append(response / np.sqrt((response**2).sum()))
    return torch.tensor(np.array(out), dtype=torch.float32)


RESPONSES = impulse_responses(200)


@functools.cache
def responses(device):
    return RESPONSES.to(device)


def transform_size(samples):
    """The next multiple of a power of two with space for the reverberation."""
    step = 4096
    return (samples + 4800 + step - 1) // step * step


def room(size, count, probability, device):
    """[B, F] spectra of rooms, one for sounds without a room."""
    inside = chance(probability, count, device=device)[:, None]
    spectra = torch.fft.rfft(
        responses(device)[torch.randint(len(RESPONSES), (count,), device=device)], size
    )
    return spectra * inside + (1 - inside)


@functools.cache
def bands(device):
    return torch.tensor(BANDS_HZ, device=device)


def microphone(size, count, severity, device):
    """[B, F] gains: a smooth random equalizer and, for some, a band limit."""
    curve = torch.randn(count, 10, device=device) * uniform(0, 6, count, 1, device=device)
    curve = torch.matmul(curve, curve_basis(size, 10, device))
    hz = torch.linspace(0, RATE_HZ / 2, size // 2 + 1, device=device)[None]
    low = (uniform(60, 380, count, device=device) * chance(0.3 * severity, count, device=device))[
        :, None
    ]
    limited = chance(0.3 * severity, count, device=device)[:, None]
    high = bands(device)[torch.randint(len(BANDS_HZ), (count,), device=device)][:, None]
    cut = ((hz - high) / 150).clamp(0, 5) * 9 * limited + ((low - hz) / 50).clamp(0, 4) * 6
    return 10 ** ((curve.clamp(-20, 20) - cut) / 20)


def colored_noise(size, count, device):
    """[B, F] complex spectra of noise with a random decline towards high frequencies."""
    slope = torch.linspace(0, 1, 8, device=device)[None] * uniform(-45, 5, count, 1, device=device)
    slope = slope + torch.randn(count, 8, device=device) * 5
    gain = 10 ** (torch.matmul(slope, curve_basis(size, 8, device)) / 20)
    return torch.view_as_complex(torch.randn(count, size // 2 + 1, 2, device=device)) * gain


def energy(spectrum, size):
    return (spectrum.real**2 + spectrum.imag**2).sum(1, keepdim=True) * 2 / size + 1e-9


def scaled(noise, speech, size, snr_db):
    """Scales noise to a signal-to-noise ratio [B] in dB; none at 90 dB and more."""
    gain = torch.sqrt(energy(speech, size) / energy(noise, size)) * 10 ** (-snr_db[:, None] / 20)
    return noise * gain * (snr_db < 90)[:, None]


def either(probability, count, low, high, device):
    """[B] ratios in dB, 99 (no noise) for the others."""
    return uniform(low, high, count, device=device).masked_fill(
        torch.rand(count, device=device) >= probability, 99.0
    )


def record(tracks, others=None, severity=1.0, snr_low=3.0):
    """Sums tracks [K, B, n], each at its own position in a room, and adds noise; others [B, n] is
    babble. All on the device of the tracks."""
    count, samples = tracks.shape[1:]
    device = tracks.device
    size = transform_size(samples)
    received = 0
    rooms = chance(0.5 * severity, count, device=device)[:, None]
    for one in tracks:
        received = received + torch.fft.rfft(one, size) * (
            room(size, count, 1.0, device) * rooms + (1 - rooms)
        )
    noise = colored_noise(size, count, device)
    total = received + scaled(
        noise, received, size, either(0.6 * severity, count, snr_low, 35, device)
    )
    if others is not None:
        babble = torch.fft.rfft(others, size) * room(size, count, 0.7, device)
        total = total + scaled(babble, received, size, either(0.3 * severity, count, 8, 25, device))
    out = torch.fft.irfft(total * microphone(size, count, severity, device), size)[:, :samples]
    out = out * (0.06 / (out.pow(2).mean(1, keepdim=True).sqrt() + 1e-6))
    out = crushed(out, chance(0.12 * severity, count, device=device)[:, None])
    return out * 10 ** uniform(-1.5, 0.6, count, 1, device=device)


def crushed(sound, which):
    """Clips some sounds, and quantizes some to the 8 bits of telephone networks."""
    limit = uniform(0.08, 0.3, len(sound), 1, device=sound.device)
    clipped = torch.maximum(torch.minimum(sound, limit), -limit)
    law = torch.sign(sound) * torch.log1p(255 * sound.abs().clamp(max=1)) / np.log(256)
    bits = torch.round(law * 127) / 127
    coded = torch.sign(bits) * ((256 ** bits.abs() - 1) / 255)
    pick = chance(0.5, len(sound), 1, device=sound.device)
    return sound * (1 - which) + which * (clipped * pick + coded * (1 - pick))
