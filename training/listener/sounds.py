"""Draws utterances from packed sounds, each time with another tempo, voice, room, noise and
channel."""

import os
import sys

import numpy as np
import torch
from scipy.signal import fftconvolve, resample_poly

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../gpu'))

from extract import unpack  # noqa: E402
from mels import FRAME_SAMPLES, SAMPLE_RATE_HZ, at_peak, log_mels, mel_filters, powers  # noqa: E402
from network import SPELLINGS  # noqa: E402

# Shares of utterances. An isolated syllable is a tenth of a sentence. `silence` is noise without
# speech.
MIXTURE = {
    'rendered': ('yue', 0.21),
    'syn-yue-1': ('yue', 0.11),
    'kt-train': ('yue', 0.16),
    'rendered-cmn': ('cmn', 0.09),
    'syn-cmn-1': ('cmn', 0.05),
    'cmn': ('cmn', 0.13),
    'letters': ('eng', 0.14),
    'letters-native': ('eng', 0.08),
    'silence': ('', 0.03),
}
# Single syllables and words are joined, up to this many in a row.
JOINED = {'kt-train': 6, 'cmn': 4}
LONGEST_S = 9.0
TEMPI = ((10, 8), (10, 9), (1, 1), (1, 1), (1, 1), (9, 10), (8, 10), (7, 10))
WARPS = [mel_filters(warp) for warp in np.linspace(0.86, 1.16, 13)]
# Of Cantonese, Mandarin and espeak-ng, whose few speakers have to stand for many.
FEW_SPEAKERS = ('yue', 'cmn')


class Sounds:
    """All packed stores of the mixture that there are; `draw` gives one utterance."""

    def __init__(self, packed, seed):
        self.rng = np.random.default_rng(seed)
        self.stores = {
            name: unpack(packed, name)
            for name in [*MIXTURE, 'noise']
            if os.path.exists(os.path.join(packed, name + '.jsonl'))
        }
        self.names = [name for name in MIXTURE if name in self.stores or name == 'silence']
        shares = np.array([MIXTURE[name][1] for name in self.names])
        self.shares = shares / shares.sum()

    def pick(self, name):
        """(samples of -1..1, units) of one recording."""
        store = self.stores[name]
        pcm, _, _, units = store[self.rng.integers(len(store))]
        return pcm.astype(np.float32) / 32768, units

    def joined(self, name):
        """Recordings in a row, with short fades and pauses."""
        pieces, units = [], []
        for _ in range(self.rng.integers(1, JOINED[name] + 1)):
            pcm, found = self.pick(name)
            fade = min(SAMPLE_RATE_HZ // 100, len(pcm) // 4)
            pcm[:fade] *= np.linspace(0, 1, fade)
            pcm[-fade:] *= np.linspace(1, 0, fade)
            pause = int(SAMPLE_RATE_HZ * self.rng.choice([0, 0, self.rng.uniform(0, 0.12)]))
            pieces += [pcm, np.zeros(pause, np.float32)]
            units += found
        # People speak single words slowly.
        tempo = self.rng.integers(10, 15) if len(units) > 1 else 10
        return resample_poly(np.concatenate(pieces), 10, tempo).astype(np.float32), units

    def noise(self, count):
        """Noise of any color, hum, or people talking."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.25 and 'noise' in self.stores:
            voices = np.zeros(count, np.float32)
            for _ in range(rng.integers(1, 5)):
                pcm, _ = self.pick('noise')
                voices += np.resize(np.roll(pcm, -rng.integers(len(pcm))), count)
            return voices
        spectrum = np.fft.rfft(rng.standard_normal(count))
        hz = np.fft.rfftfreq(count, 1 / SAMPLE_RATE_HZ)
        color = (np.maximum(hz, 20) / 1000) ** -rng.uniform(0, 1.2)
        noise = np.fft.irfft(spectrum * color, count)
        if kind > 0.85:
            seconds = np.arange(count) / SAMPLE_RATE_HZ
            base = rng.uniform(45, 130)
            noise = noise / (noise.std() + 1e-9)
            for k in range(1, 8):
                noise += rng.uniform(0, 3) * np.sin(2 * np.pi * (base * k * seconds + rng.random()))
        if kind > 0.6:
            noise *= 1 + 0.8 * np.sin(
                2 * np.pi * rng.uniform(0.1, 4) * np.arange(count) / SAMPLE_RATE_HZ
            )
        return noise.astype(np.float32)

    def room(self, pcm):
        """An exponential decay of noise behind the direct sound."""
        rng = self.rng
        length = int(SAMPLE_RATE_HZ * rng.uniform(0.05, 0.5))
        answer = rng.standard_normal(length) * np.exp(-6 * np.arange(length) / length)
        answer[0] = rng.uniform(2, 14)
        return fftconvolve(pcm, answer)[: len(pcm) + length // 2]

    def heard(self, pcm):
        """An utterance as a microphone hears it, with a little silence around it."""
        rng = self.rng
        up, down = TEMPI[rng.integers(len(TEMPI))]
        if up != down:
            pcm = resample_poly(pcm, down, up)
        if rng.random() < 0.4:
            pcm = self.room(pcm)
        before, after = (int(SAMPLE_RATE_HZ * rng.uniform(0.02, 0.5)) for _ in range(2))
        pcm = np.pad(at_peak(pcm), (before, after))
        if rng.random() < 0.6:
            noise = self.noise(len(pcm))
            level = np.sqrt((pcm**2).mean() + 1e-9) * 10 ** (-rng.uniform(3, 40) / 20)
            pcm = pcm + noise * (level / (noise.std() + 1e-9))
        if rng.random() < 0.05:
            pcm = np.clip(at_peak(pcm) * rng.uniform(1.2, 4), -1, 1)
        return at_peak(pcm).astype(np.float32)

    def draw(self):
        """(samples, language, target ids), at most LONGEST_S."""
        while True:
            name = self.names[self.rng.choice(len(self.names), p=self.shares)]
            language = MIXTURE[name][0]
            if name == 'silence':
                pcm = self.noise(int(SAMPLE_RATE_HZ * self.rng.uniform(0.5, 6)))
                return at_peak(pcm) * self.rng.uniform(0.01, 1), language, []
            pcm, units = self.joined(name) if name in JOINED else self.pick(name)
            ids = SPELLINGS[language].encode(units)
            pcm = self.heard(pcm)
            # CTC needs a frame for each symbol, and one between equal ones.
            if ids and len(ids) * 1.2 * FRAME_SAMPLES < len(pcm) < LONGEST_S * SAMPLE_RATE_HZ:
                return pcm, language, ids

    def batches(self, seconds):
        """Yields lists of utterances of similar lengths that fill about `seconds`, padding
        included."""
        while True:
            pool = sorted((self.draw() for _ in range(48)), key=lambda item: len(item[0]))
            groups, group = [], []
            for item in pool:
                if group and (len(group) + 1) * len(item[0]) > seconds * SAMPLE_RATE_HZ:
                    groups.append(group)
                    group = []
                group.append(item)
            groups.append(group)
            for index in self.rng.permutation(len(groups)):
                yield groups[index]

    def features(self, utterances):
        """{mels [B, MELS, 2T], frames [B], languages [B], targets [[id]]} of a batch."""
        rng, rows = self.rng, []
        longest = max(len(pcm) for pcm, _, _ in utterances)
        frames = -(-longest // FRAME_SAMPLES)
        for pcm, language, _ in utterances:
            power = powers(torch.from_numpy(np.ascontiguousarray(pcm))[None])
            if rng.random() < 0.15:
                power = telephone(power, rng)
            varied = language in FEW_SPEAKERS and rng.random() < 0.8
            filters = WARPS[rng.integers(len(WARPS)) if varied else len(WARPS) // 2]
            mels = log_mels(power * tilt(power.shape[1], rng), filters)[0]
            if rng.random() < 0.7:
                mask(mels, rng)
            rows.append(mels)
        mels = torch.full((len(rows), rows[0].shape[0], 2 * frames), -1.0)
        for row, found in zip(mels, rows):
            row[:, : found.shape[1]] = found
        return {
            'mels': mels,
            'frames': torch.tensor([-(-len(pcm) // FRAME_SAMPLES) for pcm, _, _ in utterances]),
            'languages': [language for _, language, _ in utterances],
            'targets': [ids for _, _, ids in utterances],
        }


def tilt(bins, rng):
    """[1, bins, 1]: a smooth microphone response of up to 8 dB."""
    knots = rng.uniform(-4, 4, 6)
    decibels = np.interp(np.linspace(0, 5, bins), np.arange(6), knots)
    return torch.tensor(10 ** (decibels / 10), dtype=torch.float32)[None, :, None]


def telephone(power, rng):
    """Only what a telephone passes."""
    hz = torch.linspace(0, SAMPLE_RATE_HZ / 2, power.shape[1])
    passed = (hz > rng.uniform(150, 350)) & (hz < rng.uniform(3200, 4000))
    return power * (passed.float() + 1e-7)[None, :, None]


def mask(mels, rng):
    """Blanks some bands and some frames, in place (SpecAugment, Park et al. 2019)."""
    quiet = mels.min()
    for _ in range(2):
        first = rng.integers(0, mels.shape[0] - 10)
        mels[first : first + rng.integers(0, 11)] = quiet
    for _ in range(1 + mels.shape[1] // 300):
        first = rng.integers(0, mels.shape[1])
        mels[:, first : first + rng.integers(0, 26)] = quiet
