"""Computes feature stores from packed sounds (pack.py), as make_recordings.py computes them from
recordings.

usage: extract.py PACKED FEATURES [--device cuda]

Stores that FEATURES has already are kept. On a GPU an hour of sound takes two seconds. Needs
opusdec (Debian: opus-tools).
"""
import argparse
import glob
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../acoustic'))

from frontend import HOP, SAMPLE_RATE_HZ, Frontend  # noqa: E402
from store import StoreWriter, decode_opus  # noqa: E402

BATCH_SAMPLES = 128 * SAMPLE_RATE_HZ
LARGEST_BATCH = 128


def unpack(packed, name):
    """[(16-bit samples, language, speaker, units)] of a store, the shortest first."""
    with ThreadPoolExecutor() as pool:
        files = list(
            pool.map(
                decode_opus, sorted(glob.glob(os.path.join(packed, name + '-[0-9][0-9].opus')))
            )
        )
    with open(os.path.join(packed, name + '.jsonl'), encoding='utf8') as lines:
        rows = [json.loads(line) for line in lines]
    items = [
        (files[file][start : start + size], language, speaker, units.split())
        for file, start, size, language, speaker, units in rows
    ]
    return sorted(items, key=lambda item: len(item[0]))


def batches(items):
    """Lists of items of similar lengths, of a limited size."""
    while items:
        size = max(1, min(LARGEST_BATCH, BATCH_SAMPLES // max(1, len(items[0][0]))))
        yield items[:size]
        items = items[size:]


def level(pcm, lengths):
    """[B, 1] root mean square of rows of `lengths` samples."""
    return torch.sqrt((pcm**2).sum(1, keepdim=True) / lengths[:, None]) + 1e-6


class Extractor:
    """store.Extractor for many recordings at once, on a device."""

    def __init__(self, device):
        self.device, self.frontend = device, Frontend().to(device)

    def noise(self, pcm, lengths, mask):
        """White noise for some, colored noise for the others, 2 to 25 dB below the sound."""
        size, samples = pcm.shape
        white = torch.randn(size, samples, device=self.device)
        spectrum = torch.fft.rfft(white)
        slope = torch.arange(spectrum.shape[1], device=self.device) / spectrum.shape[1]
        colored = torch.fft.irfft(spectrum / (1 + 30 * slope), samples)
        noise = torch.where(torch.rand(size, 1, device=self.device) < 0.5, white, colored) * mask
        snr_db = 2 + 23 * torch.rand(size, 1, device=self.device)
        return noise * 0.1 * 10 ** (-snr_db / 20) / level(noise, lengths)

    @torch.no_grad()
    def __call__(self, recordings):
        """[(log powers [T, FINE_BANDS], pitch [T, 4])] of recordings [samples], float16."""
        lengths = torch.tensor([len(recording) for recording in recordings], device=self.device)
        pcm = torch.zeros(len(recordings), int(lengths.max()))
        for row, recording in zip(pcm, recordings):
            row[: len(recording)] = torch.from_numpy(recording.astype(np.float32)) / 32768
        pcm = pcm.to(self.device)
        mask = (torch.arange(pcm.shape[1], device=self.device)[None] < lengths[:, None]).float()
        pcm = pcm * (0.1 / level(pcm, lengths))
        power = torch.log(self.frontend.fine_power(pcm) + 1e-9).half()
        frames = lengths // HOP + 1
        spoken = (torch.arange(power.shape[1], device=self.device)[None] < frames[:, None]).float()
        tracks = [
            track
            for sound in (pcm, pcm + self.noise(pcm, lengths, mask))
            for track in self.frontend.pitch(sound, spoken)
        ]
        power, pitch = power.cpu().numpy(), torch.stack(tracks, 2).half().cpu().numpy()
        return [(power[i, :count], pitch[i, :count]) for i, count in enumerate(frames.tolist())]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('packed')
    parser.add_argument('features')
    parser.add_argument('--device', default='cpu')
    args = parser.parse_args()
    os.makedirs(args.features, exist_ok=True)
    torch.manual_seed(5)
    extract = Extractor(args.device)
    for table in sorted(glob.glob(os.path.join(args.packed, '*.jsonl'))):
        name = os.path.basename(table)[: -len('.jsonl')]
        if os.path.exists(os.path.join(args.features, name + '.jsonl')):
            continue
        writer = StoreWriter(os.path.join(args.features, name))
        for batch in batches(unpack(args.packed, name)):
            for (mel, pitch), (_, language, speaker, units) in zip(
                extract([item[0] for item in batch]), batch
            ):
                writer.add(mel, pitch, units=units, language=language, speaker=speaker, file='')
        writer.close()
        print(f'{name}: {len(writer.index)} recordings, {writer.count // 6000} minutes', flush=True)


if __name__ == '__main__':
    main()
