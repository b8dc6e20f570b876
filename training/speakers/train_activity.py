"""Trains the detector of none, one or several speakers.

usage: train_activity.py DATA OUT --minutes M [--resume] [--seconds S] [--mixtures N]
       (DATA from sounds.py)

--seconds is the sound in a batch, --mixtures the number of mixtures of ten seconds that the figures
are from.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from features import fast_features
from mixtures import Talk
from networks import ActivityNet
from rooms import record
from running import Run
from sounds import Tracks

ACCEPTED = (0.5, 0.6, 0.7)  # thresholds of the probability of several speakers, for the figures


def test_mixtures(tracks, count, frames=500, seed=11):
    """(sounds [N, n], classes [N, T]) of held-out speakers with light noise and rooms,
    deterministic."""
    torch.manual_seed(seed)
    sounds, classes = Talk(tracks, seed, overlapping=0.3).batch(frames, count)
    return record(torch.from_numpy(sounds), severity=0.5, snr_low=10.0), torch.from_numpy(classes)


@torch.no_grad()
def probabilities(net, sounds, batch=8):
    net.eval()
    return torch.cat(
        [
            torch.softmax(net(fast_features(sounds[i : i + batch])), 2)
            for i in range(0, len(sounds), batch)
        ]
    )


def figures(found, classes):
    """Shares over frames; found [N, T, 3] probabilities, classes [N, T]."""
    speech, decided = classes > 0, found.argmax(2)
    detected = found[:, :, 0] < 0.5
    out = {
        'frames right': (decided == classes),
        'speech missed': ~detected[speech],
        'false alarm of silence': detected[~speech],
    }
    out = {name: float(value.float().mean()) for name, value in out.items()}
    both = classes == 2
    for threshold in ACCEPTED:
        overlapping = found[:, :, 2] >= threshold
        out[f'overlap precision at {threshold}'] = float(
            (overlapping & both).sum() / overlapping.sum().clamp(min=1)
        )
        out[f'overlap recall at {threshold}'] = float(
            (overlapping & both).sum() / both.sum().clamp(min=1)
        )
    out['overlap in the test'] = float(both.float().mean())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--seconds', type=int, default=128)
    parser.add_argument('--mixtures', type=int, default=60)
    args = parser.parse_args()
    torch.set_num_threads(1)
    test = test_mixtures(Tracks(args.data + '/held-out'), args.mixtures)
    torch.manual_seed(args.seed)
    run = Run(args.out, args.minutes, ActivityNet(), rate=2e-3, decay=0.02)
    if args.resume:
        run.resume()
        torch.manual_seed(args.seed + run.step)
    talk, losses = Talk(Tracks(args.data + '/train'), args.seed + run.step), []
    run.log(f'{sum(p.numel() for p in run.model.parameters()) / 1e6:.2f} M parameters')
    while run.progress < 1:
        frames = int(talk.rng.integers(100, 500))
        sounds, classes = talk.batch(frames, max(6, args.seconds * 50 // frames))
        with torch.no_grad():
            features = fast_features(record(torch.from_numpy(sounds), severity=0.8))
        run.model.train()
        scores = run.model(features)
        loss = F.cross_entropy(
            scores.flatten(0, 1), torch.from_numpy(classes).flatten(), label_smoothing=0.01
        )
        run.update(loss)
        losses.append(float(loss.detach()))
        if run.step % 50 == 0:
            run.log(f'loss {np.mean(losses):.3f}')
            losses = []
        if run.step % 200 == 0:
            run.save()
        if run.step % 400 == 0 or run.progress >= 1:
            found = figures(probabilities(run.average, test[0]), test[1])
            run.log('  ' + ', '.join(f'{k} {v:.1%}' for k, v in found.items()))
    run.save()


if __name__ == '__main__':
    main()
