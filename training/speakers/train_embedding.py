"""Trains the speaker embedding.

usage: train_embedding.py DATA OUT --minutes M [--resume] [--start EMBEDDING.onnx] [--formants N]
       [--seconds S] [--rate R] [--device cuda]          (DATA from sounds.py)

OUT/last.pt is a checkpoint, written about once a minute; OUT/log.txt has the losses and the error
rates on development speakers. --start continues an exported network. --formants makes N voices of
each, with other formants at the same pitch (three with --start, else one). --seconds is the sound
in a batch, --rate the highest learning rate.
"""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn

from continued import continued_embedding
from features import SAME, fast_features
from networks import EMBEDDING, EmbeddingNet, Margin
from rooms import chance, record, uniform
from running import Run
from sounds import FRAME, Tracks
from trials import equal_error_rates, of_network, windows

SHARES = {
    'eng-learners-train': 0.5,
    'eng-speakers': 0.45,
    'cmn-words': 0.03,
    'yue-syllables-kt': 0.02,
}
# Formants of neighboring voices differ by about 10.5 %, those of one voice by up to 4 %.
FORMANT_STEPS, FORMANT_JITTER = 10, 2
# the margin grows between 8 and 40 % of the time
MARGIN, MARGIN_FROM, MARGIN_FULL = 0.25, 0.08, 0.4
# frequency of rooms, noise and band limits; reduced at the end
SEVERITY, LATE, LATE_SEVERITY = 0.75, 0.8, 0.6
# how often another voice speaks during a part of the crop, and its level
INTERRUPTED, INTERRUPTION_DB = 0.3, (-15, -3)
# of continued training
CONTINUED_RATE, CONTINUED_MARGIN_FROM, CONTINUED_MARGIN_FULL = 1e-3, 0.0, 0.3
# tries to find a crop with speech in at least half of it
TRIES = 6


class Voices:
    """Draws crops of voices on a device. Half of a batch comes from each large corpus, so that
    corpus acoustics do not separate speakers."""

    def __init__(self, tracks, device='cpu'):
        self.samples = torch.from_numpy(tracks.samples).to(device)
        self.spoken = torch.from_numpy(np.append(0, np.cumsum(tracks.active))).to(device)
        self.starts, self.frames = (
            torch.tensor([row[name] for row in tracks.rows], device=device)
            for name in ('start', 'frames')
        )
        tables = [row['table'] for row in tracks.rows]
        self.weights = torch.tensor(
            [SHARES[table] / tables.count(table) for table in tables], device=device
        )
        self.device = device

    def crops(self, ids, frames):
        """[B, frames * 320] of the voices `ids` [B], with speech in at least half where that is
        found; repeated where a voice has less sound."""
        counts = self.frames[ids].clamp(max=frames)
        free = (self.frames[ids] - counts)[:, None] + 1
        places = (
            self.starts[ids][:, None]
            + (torch.rand(len(ids), TRIES, device=self.device) * free).long()
        )
        spoken = self.spoken[places + counts[:, None]] - self.spoken[places]
        # The first that has enough, and the last if none has.
        good = 2 * spoken > counts[:, None]
        good[:, -1] = True
        first = places.gather(1, good.int().argmax(1, keepdim=True))
        offsets = torch.arange(frames * FRAME, device=self.device)[None] % (counts[:, None] * FRAME)
        return self.samples[first * FRAME + offsets].float() / 32768

    def batch(self, frames, count):
        """(voice ids [B], sounds [B, n], babble [B, n])."""
        ids = torch.multinomial(self.weights, count, replacement=True)
        sounds = self.crops(ids, frames)
        babble = torch.zeros_like(sounds)
        for _ in range(int(torch.randint(1, 5, ()))):  # one quiet other speaker, or several
            babble += sounds[self.order(count)].roll(int(torch.randint(sounds.shape[1], ())), 1)
        return ids, self.interrupted(sounds), babble

    def order(self, count):
        return torch.randperm(count, device=self.device)

    def interrupted(self, sounds):
        """With a part of another crop added to some, as in conversations where people overlap."""
        count, length = sounds.shape
        draw = lambda low, high: uniform(low, high, count, 1, device=self.device)
        part = draw(0.1, 0.5) * length
        first = draw(0, 1) * (length - part)
        at = torch.arange(length, device=self.device)[None]
        gain = 10 ** (draw(*INTERRUPTION_DB) / 20) * chance(
            INTERRUPTED, count, 1, device=self.device
        )
        return sounds + sounds[self.order(count)] * gain * ((at >= first) & (at < first + part))


def hide_patches(features):
    """SpecAugment: sets one frequency band and one time span of some to the mean."""
    size, length, bands = features.shape
    hidden = chance(0.4, size, 1, device=features.device)

    def span(extent, low_end, longest):
        """[B, extent] bool: a part of up to `longest`, beginning before `low_end`."""
        first, long = (
            uniform(0, high, size, 1, device=features.device).floor() for high in (low_end, longest)
        )
        at = torch.arange(extent, device=features.device)[None]
        return (at >= first) & (at <= first + long) & (hidden > 0)

    kept = ~(span(bands, 64, 7)[:, None] | span(length, length, 11)[:, :, None])
    return features * kept


def warps(ids, voice):
    """[B] indices of FORMANTS for the voices `voice` [B] of their speakers; 0 has the speaker's
    own."""
    jitter = torch.randint(-FORMANT_JITTER, FORMANT_JITTER + 1, ids.shape, device=ids.device)
    return SAME + FORMANT_STEPS * voice + jitter


def first_centers(net, voices, formants, per_batch=64, frames=150):
    """[classes, EMBEDDING]: an embedding of each class, as the first weights of the softmax."""
    count = len(voices.starts)
    out = torch.zeros(count * formants, EMBEDDING, device=voices.device)
    for first in range(0, count, per_batch):
        ids = torch.arange(first, min(first + per_batch, count), device=voices.device)
        sounds = voices.crops(ids, frames)
        for voice in range(formants):
            warp = torch.full_like(ids, SAME + FORMANT_STEPS * (voice - formants // 2))
            out[ids * formants + voice] = net(fast_features(sounds, warp))
    return nn.functional.normalize(out)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--start')
    parser.add_argument('--formants', type=int, choices=[1, 3, 5])
    parser.add_argument('--seconds', type=int, default=96)
    parser.add_argument('--rate', type=float)
    parser.add_argument('--device', default='cpu')
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(args.seed)
    voices = Voices(Tracks(args.data + '/train'), args.device)
    formants = args.formants or (3 if args.start else 1)
    net = EmbeddingNet().to(args.device)
    margin = Margin(len(voices.starts) * formants).to(args.device)
    margin_from, margin_full, rate = MARGIN_FROM, MARGIN_FULL, 2e-3
    if args.start:
        margin_from, margin_full, rate = (
            CONTINUED_MARGIN_FROM,
            CONTINUED_MARGIN_FULL,
            CONTINUED_RATE,
        )
        with torch.no_grad():
            net = continued_embedding(
                args.start,
                fast_features(record(voices.batch(100, 256)[1].cpu()[None], severity=SEVERITY)),
            )
            net = net.to(args.device)
            margin.weight.copy_(first_centers(net, voices, formants))
    run = Run(args.out, args.minutes, net, margin, rate=args.rate or rate)
    if args.resume:
        run.resume()
        torch.manual_seed(args.seed + run.step)
    tests = {
        seconds: windows(Tracks(args.data + '/development'), seconds, each=8)
        for seconds in (1.0, 1.5)
    }
    size = sum(p.numel() for p in run.model.parameters()) / 1e6
    run.log(f'{size:.2f} M parameters, {len(margin.weight)} voices')
    losses, right, saved = [], [], time.time()
    while run.progress < 1:
        # Few different lengths: a GPU prepares itself for each.
        frames = 10 * int(torch.randint(4, 16, ()))
        ids, sounds, babble = voices.batch(frames, max(16, args.seconds * 50 // frames))
        severity = SEVERITY if run.progress < LATE else LATE_SEVERITY
        with torch.no_grad():
            voice = torch.randint(formants, ids.shape, device=ids.device)
            heard = record(sounds[None], babble, severity)
            warp = None if formants == 1 else warps(ids, voice - formants // 2)
            features = hide_patches(fast_features(heard, warp))
        run.model.train()
        ramp = (run.progress - margin_from) / (margin_full - margin_from)
        loss, hit = run.extra(
            run.model(features), ids * formants + voice, MARGIN * min(1.0, max(0.0, ramp))
        )
        run.update(loss)
        losses.append(loss.detach())
        right.append(hit)
        if run.step % 50 == 0:
            run.log(f'loss {torch.stack(losses).mean():.3f} right {torch.stack(right).mean():.1%}')
            losses, right = [], []
        if time.time() - saved > 60:
            run.save()
            saved = time.time()
        if run.step % 400 == 0 or run.progress >= 1:
            for seconds, test in tests.items():
                run.log(
                    f'  {seconds} s: '
                    + ', '.join(
                        f'{k} {v:.1%}'
                        for k, v in equal_error_rates(of_network(run.average), *test).items()
                    )
                )
    run.save()


if __name__ == '__main__':
    main()
