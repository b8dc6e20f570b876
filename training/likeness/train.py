"""Trains the network judge: train.py CLIPS OUTPUT.onnx [--minutes M] [--without KIND ...] [--tempi]

Stops by itself; prints the errors on speakers and utterances that it did not learn from.
"""
import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F

from clips import Clips
from network import BANDS, LikenessNet, export, pooled

BATCH = 48


def varied(mels, rng):
    """Other vocal tracts and bands that are missing, so that no voice and no band decides."""
    for clip in mels:
        shift = rng.integers(-3, 4)
        if shift:
            clip[:] = np.roll(clip, shift, 1)
            edge = clip[:, shift : shift + 1] if shift > 0 else clip[:, shift - 1 : shift]
            if shift > 0:
                clip[:, :shift] = edge
            else:
                clip[:, shift:] = edge
        if rng.random() < 0.5:
            first, width = rng.integers(0, BANDS), rng.integers(2, 10)
            clip[:, first : first + width] = 0
        clip *= rng.uniform(0.85, 1.15)
    return mels


# Learners speak slowly and machines fast: without other tempi the network would judge the tempo.
TEMPI = {True: (0.85, 1.5), False: (0.65, 1.15)}


def at_other_tempi(mels, speech, is_slow, rng):
    """Reads each clip faster or slower, by interpolation between frames; the time after its end is
    not judged."""
    frames = mels.shape[1]
    for clip, spoken, slow in zip(mels, speech, is_slow):
        at = np.arange(frames) * rng.uniform(*TEMPI[bool(slow)])
        lower = np.minimum(at.astype(int), frames - 2)
        share = np.minimum(1, at - lower)[:, None].astype(np.float32)
        clip[:] = clip[lower] * (1 - share) + clip[lower + 1] * share
        spoken[:] = spoken[lower] * (at < frames)
    return mels, speech


def figures(net, clips, chosen):
    """Mean score and share above one half of each kind of speaker."""
    net.eval()
    scores = []
    with torch.no_grad():
        for start in range(0, len(chosen), 100):
            mels, speech = map(torch.from_numpy, clips.batch(chosen[start : start + 100]))
            scores.append(torch.sigmoid(pooled(net(mels), speech)).numpy())
    net.train()
    scores = np.concatenate(scores)
    kinds = clips.kinds[chosen]
    return {
        kind: (scores[kinds == kind].mean(), (scores[kinds == kind] > 0.5).mean())
        for kind in sorted(set(kinds))
    }


def train(clips, minutes, without=(), other_tempi=False, seed=1, log=print, steps=None):
    """For so many minutes, or so many steps."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = LikenessNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=2e-2)
    weights = clips.weights(without)
    check = np.flatnonzero(clips.check)
    # Time of the processor, because others may use it too.
    started, step, spent = time.process_time(), 0, 0
    while spent < 1:
        spent = step / steps if steps else (time.process_time() - started) / 60 / minutes
        for group in optimizer.param_groups:
            group['lr'] = (
                2e-3
                * min(1, 20 * spent + 0.05)
                * max(0.02, 0.5 + 0.5 * np.cos(np.pi * min(1, spent)))
            )
        chosen = rng.choice(len(weights), BATCH, p=weights)
        mels, speech = clips.batch(chosen)
        if other_tempi:
            mels, speech = at_other_tempi(mels, speech, clips.slow[chosen], rng)
        logits = pooled(net(torch.from_numpy(varied(mels, rng))), torch.from_numpy(speech))
        target = torch.from_numpy(clips.human[chosen]) * 0.94 + 0.03
        loss = F.binary_cross_entropy_with_logits(logits, target)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
        step += 1
        if step % 250 == 0 or spent >= 1:
            scores = figures(net, clips, check) if len(check) else {}
            rows = ' '.join(
                f'{kind} {mean:.2f}/{share:.2f}' for kind, (mean, share) in scores.items()
            )
            log(f'{step} {spent:.2f} loss {loss.item():.3f} {rows}', flush=True)
    return net


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('clips')
    parser.add_argument('output')
    parser.add_argument('--minutes', type=float, default=8)
    parser.add_argument('--without', nargs='*', default=[])
    parser.add_argument('--tempi', action='store_true', help='also at other tempi')
    args = parser.parse_args()
    export(train(Clips(args.clips), args.minutes, args.without, args.tempi), args.output)


if __name__ == '__main__':
    main()
