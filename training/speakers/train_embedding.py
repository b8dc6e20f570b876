"""Trains the speaker embedding.

usage: train_embedding.py DATA OUT --minutes M [--resume] [--start EMBEDDING.onnx] (DATA from
sounds.py) OUT/last.pt is a checkpoint, written every 200 steps; OUT/log.txt has the losses and
error rates on held-out speakers. --start continues a shipped network with more voices: three
formant factors of each.
"""
import argparse

import numpy as np
import torch

from continued import continued_embedding
from features import FORMANTS, fast_features
from networks import EMBEDDING, EmbeddingNet, Margin
from rooms import record
from running import Run
from sounds import FRAME, Tracks
from trials import equal_error_rates, of_network, windows

SECONDS_A_STEP = 96             # of sound in a batch
SHARES = {'eng-learners-train': 0.5, 'eng-speakers': 0.45, 'cmn-words': 0.03, 'yue-syllables-kt': 0.02}
# the margin grows between 8 and 40 % of the time
MARGIN, MARGIN_FROM, MARGIN_FULL = 0.25, 0.08, 0.4
# frequency of rooms, noise and band limits; reduced at the end
SEVERITY, LATE, LATE_SEVERITY = 0.75, 0.8, 0.6
# how often another voice speaks during a part of the crop, and its level
INTERRUPTED, INTERRUPTION_DB = 0.3, (-15, -3)
# of continued training
CONTINUED_RATE, CONTINUED_MARGIN_FROM, CONTINUED_MARGIN_FULL = 1e-3, 0.0, 0.3


class Voices:
    """Draws voices, half of a batch from each large corpus, so that corpus acoustics do not
    separate speakers."""

    def __init__(self, tracks, seed):
        self.tracks, self.rng = tracks, np.random.default_rng(seed)
        self.tables = {name: [i for i, row in enumerate(tracks.rows) if row['table'] == name] for name in SHARES}

    def crop(self, row, frames):
        """A crop of one voice with speech in at least half of it; repeated where the voice has less
        sound."""
        for _ in range(6):
            start = row['start'] + int(self.rng.integers(0, max(1, row['frames'] - frames)))
            count = min(frames, row['frames'])
            if self.tracks.active[start:start + count].mean() > 0.5:
                break
        return np.resize(self.tracks.piece(start, count), frames * FRAME)

    def batch(self, frames, count):
        """(voice ids [B], sounds [B, n], babble [B, n])."""
        ids = []
        for name in self.rng.choice(list(SHARES), count, p=list(SHARES.values())):
            ids.append(int(self.rng.choice(self.tables[name])))
        sounds = np.stack([self.crop(self.tracks.rows[i], frames) for i in ids])
        babble = np.zeros_like(sounds)
        for _ in range(int(self.rng.integers(1, 5))):       # one quiet other speaker, or several
            babble += np.roll(self.rng.permutation(sounds), int(self.rng.integers(sounds.shape[1])), 1)
        self.interrupt(sounds)
        return torch.tensor(ids), torch.from_numpy(sounds), torch.from_numpy(babble)

    def interrupt(self, sounds):
        """Adds a part of another crop to some, as in conversations where people overlap."""
        others, length = self.rng.permutation(sounds), sounds.shape[1]
        for i in np.nonzero(self.rng.random(len(sounds)) < INTERRUPTED)[0]:
            part = int(length * self.rng.uniform(0.1, 0.5))
            at, gain = int(self.rng.integers(length - part)), 10 ** (self.rng.uniform(*INTERRUPTION_DB) / 20)
            sounds[i, at:at + part] += gain * others[i, at:at + part]


def hide_patches(features, rng):
    """SpecAugment: sets one frequency band and one time span to the mean."""
    size, length, bands = features.shape
    for i in np.nonzero(rng.random(size) < 0.4)[0]:
        low, first = int(rng.integers(64)), int(rng.integers(length))
        features[i, :, low:low + int(rng.integers(1, 8))] = 0
        features[i, first:first + int(rng.integers(1, 12))] = 0
    return features


def first_centers(net, voices, per_batch=64, frames=150):
    """[classes, EMBEDDING]: an embedding of each class, as the first weights of the softmax."""
    rows, out = voices.tracks.rows, torch.zeros(len(voices.tracks.rows) * len(FORMANTS), EMBEDDING)
    for first in range(0, len(rows), per_batch):
        ids = torch.arange(first, min(first + per_batch, len(rows)))
        sounds = torch.from_numpy(np.stack([voices.crop(rows[i], frames) for i in ids]))
        for warp in range(len(FORMANTS)):
            out[ids * len(FORMANTS) + warp] = net(fast_features(sounds, torch.full_like(ids, warp)))
    return out / out.norm(dim=1, keepdim=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--start')
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    tracks = Tracks(args.data + '/train')
    voices = Voices(tracks, args.seed)
    warps = len(FORMANTS) if args.start else 1
    net, margin = EmbeddingNet(), Margin(len(tracks.rows) * warps)
    margin_from, margin_full = MARGIN_FROM, MARGIN_FULL
    if args.start:
        margin_from, margin_full = CONTINUED_MARGIN_FROM, CONTINUED_MARGIN_FULL
        with torch.no_grad():
            net = continued_embedding(args.start, fast_features(record(voices.batch(100, 256)[1][None], severity=SEVERITY)))
            margin.weight.copy_(first_centers(net, voices))
    run = Run(args.out, args.minutes, net, margin, rate=CONTINUED_RATE if args.start else 2e-3)
    if args.resume:
        run.resume()
        torch.manual_seed(args.seed + run.step)
        voices = Voices(tracks, args.seed + run.step)
    tests = {seconds: windows(Tracks(args.data + '/held-out'), seconds, each=8) for seconds in (1.5, 3.0)}
    run.log(f'{sum(p.numel() for p in run.model.parameters()) / 1e6:.2f} M parameters, {len(margin.weight)} voices')
    losses, right = [], []
    while run.progress < 1:
        frames = int(voices.rng.integers(40, 151))
        ids, sounds, babble = voices.batch(frames, max(16, int(SECONDS_A_STEP * 50 / frames)))
        severity = SEVERITY if run.progress < LATE else LATE_SEVERITY
        with torch.no_grad():
            warp = torch.randint(warps, ids.shape)
            heard = record(sounds[None], babble, severity)
            features = hide_patches(fast_features(heard, warp if args.start else None), voices.rng)
        run.model.train()
        ramp = (run.progress - margin_from) / (margin_full - margin_from)
        loss, hit = run.extra(run.model(features), ids * warps + warp, MARGIN * min(1.0, max(0.0, ramp)))
        run.update(loss)
        losses.append(float(loss.detach()))
        right.append(float(hit))
        if run.step % 50 == 0:
            run.log(f'loss {np.mean(losses):.3f} right {np.mean(right):.1%}')
            losses, right = [], []
        if run.step % 200 == 0:
            run.save()
        if run.step % 400 == 0 or run.progress >= 1:
            for seconds, test in tests.items():
                run.log(f'  {seconds} s: ' + ', '.join(f'{k} {v:.1%}' for k, v in equal_error_rates(of_network(run.average), *test).items()))
    run.save()


if __name__ == '__main__':
    main()
