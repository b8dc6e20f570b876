"""Feature stores: cached fine log band powers and pitch of utterances in flat arrays."""
import json
import math
import os
import subprocess

import numpy as np
import torch
from scipy.signal import resample_poly

from frontend import FINE_BANDS, SAMPLE_RATE_HZ, Frontend


def decode_opus(path):
    """Mono 16-bit samples at 16 kHz of an Ogg Opus file, by opusdec (Debian: opus-tools)."""
    command = ['opusdec', '--quiet', '--rate', str(SAMPLE_RATE_HZ), path, '-']
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    start = 44 if raw[:4] == b'RIFF' else 0
    return np.frombuffer(raw[start : start + (len(raw) - start) // 2 * 2], '<i2')


def load_audio(path):
    """Mono float32 samples at 16 kHz of any file that libsndfile supports (Ogg Opus, WAV, FLAC).
    Without libsndfile, as on machines with a GPU, of mono Ogg Opus alone."""
    try:
        import soundfile
    except ModuleNotFoundError:
        return decode_opus(path).astype(np.float32) / 32768
    sound, rate_hz = soundfile.read(path, dtype='float32', always_2d=True)
    mono = sound.mean(1)
    if rate_hz != SAMPLE_RATE_HZ:
        common = math.gcd(rate_hz, SAMPLE_RATE_HZ)
        mono = resample_poly(mono, SAMPLE_RATE_HZ // common, rate_hz // common)
    return mono.astype(np.float32)


class Extractor:
    """Computes the contents of a store: powers of the clean sound, pitch of the clean and of a
    noisy version.

    The noisy pitch includes realistic errors of the pitch tracker in training.
    """

    def __init__(self, babble=()):
        self.frontend = Frontend()
        self.babble = babble

    def noise(self, rng, count):
        kind = rng.integers(0, 3 if len(self.babble) else 2)
        noise = rng.standard_normal(count).astype(np.float32)
        if kind == 1:
            spectrum = np.fft.rfft(noise)
            noise = np.fft.irfft(
                spectrum / (1 + np.arange(len(spectrum)) / len(spectrum) * 30), count
            )
        if kind == 2:
            piece = self.babble[rng.integers(len(self.babble))]
            start = rng.integers(0, max(1, len(piece) - 1))
            noise = np.resize(np.roll(piece, -start), count)
        return noise.astype(np.float32)

    @torch.no_grad()
    def __call__(self, pcm, rng):
        """(log powers [T, FINE_BANDS], pitch [T, 4]: F0, voicing, and both again with noise),
        float16."""
        pcm = pcm * (0.1 / (np.sqrt(np.mean(pcm**2)) + 1e-6))
        noise = self.noise(rng, len(pcm))
        noise *= 0.1 * 10 ** (-rng.uniform(2, 25) / 20) / (np.sqrt(np.mean(noise**2)) + 1e-6)
        both = torch.from_numpy(np.stack([pcm, pcm + noise]))
        power = self.frontend.fine_power(both[:1])[0]
        log2_f0, voicing = self.frontend.pitch(both)
        pitch = torch.stack([log2_f0[0], voicing[0], log2_f0[1], voicing[1]], 1)
        return torch.log(power + 1e-9).half().numpy(), pitch.half().numpy()


class StoreWriter:
    """Collects utterances and finally writes NAME.mel.npy, NAME.pitch.npy and NAME.jsonl."""

    def __init__(self, path):
        self.path, self.mels, self.pitches, self.index, self.count = path, [], [], [], 0

    def add(self, mel, pitch, **facts):
        self.index.append({'start': self.count, 'frames': len(mel), **facts})
        self.mels.append(mel)
        self.pitches.append(pitch)
        self.count += len(mel)

    def close(self):
        np.save(self.path + '.mel.npy', np.concatenate(self.mels))
        np.save(self.path + '.pitch.npy', np.concatenate(self.pitches))
        with open(self.path + '.jsonl', 'w', encoding='utf8') as out:
            for row in self.index:
                out.write(json.dumps(row, ensure_ascii=False) + '\n')


class Store:
    """Several stores as one: `mel` [N, FINE_BANDS] and `pitch` [N, 4] float16 tensors, `index`
    rows."""

    def __init__(self, paths):
        mels, pitches, self.index, count = [], [], [], 0
        for path in paths:
            mels.append(np.load(path + '.mel.npy'))
            pitches.append(np.load(path + '.pitch.npy'))
            with open(path + '.jsonl', encoding='utf8') as rows:
                for line in rows:
                    row = json.loads(line)
                    row['start'] += count
                    row['store'] = os.path.basename(path)
                    self.index.append(row)
            count += len(mels[-1])
        self.mel = torch.from_numpy(np.concatenate(mels))
        self.pitch = torch.from_numpy(np.concatenate(pitches))
        assert self.mel.shape[1] == FINE_BANDS
