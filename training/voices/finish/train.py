"""Trains the network that finishes joined recordings, and writes it as ONNX (README.md)."""
import argparse
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

BANDS = 40
LOWEST_HZ, HIGHEST_HZ = 60, 11_500
CHANNELS = 96
DILATIONS = (1, 2, 3, 1)
# Bands further below the level of loud frames are not told apart.
FLOOR_DB = -60
FRAMES = 48
BATCH = 24
# Quieter bands count in no error.
HEARD_DB = -50


class Finish(nn.Module):
    """Changes of bands in dB, from bands in dB relative to a loud frame and voicing of frames."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(BANDS + 1, CHANNELS, 5, padding=2)
        self.hidden = nn.ModuleList(
            nn.Conv1d(CHANNELS, CHANNELS, 5, padding=2 * d, dilation=d) for d in DILATIONS
        )
        self.last = nn.Conv1d(CHANNELS, BANDS, 1)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, bands, voiced):
        hidden = F.gelu(self.first(torch.cat([bands / 20 + 1, voiced], 1)))
        for layer in self.hidden:
            hidden = hidden + F.gelu(layer(hidden))
        return 10 * self.last(hidden)


class Served(nn.Module):
    """As the engine runs it: bands as they are measured, and a part of the change."""

    def __init__(self, network, loud_db, strength):
        super().__init__()
        self.network, self.loud_db, self.strength = network, loud_db, strength

    def forward(self, bands, voiced):
        return self.strength * self.network((bands - self.loud_db).clamp_min(FLOOR_DB), voiced)


class Pairs:
    """Joined and recorded words; a tenth of the words is held out."""

    def __init__(self, folder):
        with open(os.path.join(folder, 'pairs.json')) as file:
            listed = json.load(file)
        assert listed['bands'] == BANDS, 'pairs of another version'
        rows = np.fromfile(os.path.join(folder, 'pairs.f32'), np.float32).reshape(-1, 2 * BANDS + 1)
        ends = np.cumsum([pair['frames'] for pair in listed['pairs']])
        pairs = np.split(rows, ends[:-1])
        self.loud_db = float(
            np.median([np.quantile(pair[:, BANDS : 2 * BANDS].max(1), 0.95) for pair in pairs])
        )
        held_out = set(sorted({pair['word'] for pair in listed['pairs']})[::10])
        chosen = [pair['word'] in held_out for pair in listed['pairs']]
        self.test = [pair for pair, is_test in zip(pairs, chosen) if is_test]
        self.train = [
            pair for pair, is_test in zip(pairs, chosen) if not is_test and len(pair) >= FRAMES
        ]

    def sides(self, pair, level_db=0.0, formants=None, equalizer=0.0):
        """Joined and recorded bands and the marks of voice, (bands or 1, frames)."""
        sides = []
        for bands in (pair[:, :BANDS], pair[:, BANDS : 2 * BANDS]):
            bands = bands - self.loud_db + level_db
            if formants is not None:
                bands = bands @ formants.T
            sides.append(np.maximum(bands + equalizer, FLOOR_DB).astype(np.float32).T)
        return *sides, pair[:, 2 * BANDS :].T

    def batch(self, random):
        """Crops in other voices: formants and spectra are changed alike on both sides."""
        made = []
        for index in random.integers(0, len(self.train), BATCH):
            pair = self.train[index]
            at = random.integers(0, len(pair) - FRAMES + 1)
            equalizer = np.interp(
                np.arange(BANDS), np.linspace(0, BANDS - 1, 5), random.normal(0, 4, 5)
            )
            formants = moved_formants(random.uniform(0.75, 1.25))
            made.append(
                self.sides(pair[at : at + FRAMES], random.uniform(-6, 6), formants, equalizer)
            )
        return [torch.tensor(np.stack(side)) for side in zip(*made)]


def moved_formants(ratio):
    """The matrix that reads each band at a frequency higher by a ratio."""
    mel = lambda hz: 1_127 * np.log(1 + hz / 700)
    places = np.linspace(mel(LOWEST_HZ), mel(HIGHEST_HZ), BANDS)
    hz = 700 * (np.exp(places / 1_127) - 1)
    wanted = np.clip((mel(hz * ratio) - places[0]) / (places[1] - places[0]), 0, BANDS - 1)
    low = np.minimum(wanted.astype(int), BANDS - 2)
    matrix = np.zeros((BANDS, BANDS), np.float32)
    matrix[np.arange(BANDS), low] = 1 - (wanted - low)
    matrix[np.arange(BANDS), low + 1] += wanted - low
    return matrix


def distance(finished, recorded, joined):
    """Mean absolute difference of the bands that are heard on a side, dB."""
    heard = (torch.maximum(joined, recorded) > HEARD_DB).float()
    return ((finished - recorded).abs() * heard).sum() / heard.sum().clamp_min(1)


@torch.no_grad()
def evaluate(network, pairs):
    """Distances to the recorded words before and after, and movements from frame to frame, dB."""
    before, after, moves = [], [], []
    for pair in pairs.test:
        joined, recorded, voiced = (torch.tensor(side[None]) for side in pairs.sides(pair))
        finished = (joined + network(joined, voiced)).clamp_min(FLOOR_DB)
        before.append(distance(joined, recorded, joined).item())
        after.append(distance(finished, recorded, joined).item())
        moves.append(
            [side.diff(dim=2).abs().mean().item() for side in (recorded, joined, finished)]
        )
    means = (np.mean(before), np.mean(after), *np.mean(moves, axis=0))
    return (
        '%.2f -> %.2f dB from recorded words; '
        'from frame to frame: recorded %.2f, joined %.2f, finished %.2f dB' % means
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('pairs')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, default=3, help='of processor time')
    parser.add_argument(
        '--strength', type=float, default=0.25, help='the part of the change that is made'
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    pairs = Pairs(options.pairs)
    network = Finish()
    optimizer = torch.optim.AdamW(network.parameters(), betas=(0.8, 0.99))
    print(
        f'{sum(each.numel() for each in network.parameters())} weights, {len(pairs.train)} pairs, '
        f'{len(pairs.test)} held out',
        flush=True,
    )
    started, step, share = time.process_time(), 0, 0.0
    while share < 1:
        rate = 1e-3 * min(1, step / 200) * (1 - 0.98 * share)
        for group in optimizer.param_groups:
            group['lr'] = rate
        joined, recorded, voiced = pairs.batch(random)
        loss = distance((joined + network(joined, voiced)).clamp_min(FLOOR_DB), recorded, joined)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            print(f'step {step}, {100 * share:.0f} %: {loss.item():.2f} dB', flush=True)
        step += 1
        share = (time.process_time() - started) / (60 * options.minutes)
    print(f'step {step}: {evaluate(network, pairs)}', flush=True)
    served = Served(network, pairs.loud_db, options.strength).eval()
    part = options.out + '.part'
    example = (torch.zeros(1, BANDS, FRAMES), torch.zeros(1, 1, FRAMES))
    torch.onnx.export(
        served,
        example,
        part,
        input_names=['bands', 'voiced'],
        output_names=['changes'],
        dynamic_axes={name: {2: 'frames'} for name in ('bands', 'voiced', 'changes')},
        opset_version=17,
    )
    os.replace(part, options.out)


if __name__ == '__main__':
    main()
