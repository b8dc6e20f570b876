"""Trains the acoustic model on feature stores.

usage: train.py RECORDINGS STORES OUT --minutes M [--mixture all|chinese|rendered|english] [--resume]
[--init CHECKPOINT] [--teacher CHECKPOINT] [--workers 2] [--device cuda --loaders 12] [--channels 640
--blocks 9] Every worker is a process with one thread, its own batches and a copy of the model;
gradients are averaged each step (threads in one process lose most of their time at barriers under
other load). On a GPU there is one worker, and `loaders` processes draw and augment its batches.
Stops after M minutes of training in total, including resumed runs. With a teacher, the model also
learns its probabilities, frame by frame. OUT/last.pt is written atomically at every evaluation;
OUT/log.txt has the losses and greedy syllable error rates.
"""
import argparse
import copy
import glob
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.multiprocessing as multiprocessing
import torch.nn.functional as F

from augment import augment, plain
from batches import Sampler, test_batches
from labels import LANGUAGES
from model import BLOCKS, CHANNELS, AcousticModel, frame_mask, joint, language_scores, model_of
from score import evaluate
from store import Store
from texts import CantoneseSource

# Shares of utterances, not of time: an isolated syllable is a tenth of a sentence. `all` trains the
# encoder; the others finish the models of one family, with enough of the rest to keep speaker
# variation and language identification.
MIXTURES = {
    'all': {'espeak-yue': 0.16, 'joined': 0.17, 'phrase': 0.08, 'single': 0.14, 'words': 0.11, 'single-cmn': 0.05,
            'espeak-cmn': 0.07, 'eng': 0.12, 'eng-native': 0.06, 'espeak-eng': 0.06},
    'chinese': {'espeak-yue': 0.20, 'joined': 0.20, 'phrase': 0.09, 'single': 0.17, 'words': 0.14, 'single-cmn': 0.05,
                'espeak-cmn': 0.09, 'eng': 0.03, 'eng-native': 0.01, 'espeak-eng': 0.02},
    # continues the Chinese model with sentences of the voice of recorded syllables
    'rendered': {'rendered': 0.30, 'espeak-yue': 0.12, 'joined': 0.18, 'phrase': 0.07, 'single': 0.11, 'words': 0.11,
                 'single-cmn': 0.03, 'espeak-cmn': 0.05, 'eng': 0.03},
    'english': {'espeak-yue': 0.06, 'joined': 0.08, 'phrase': 0.02, 'single': 0.05, 'words': 0.07, 'single-cmn': 0.02,
                'espeak-cmn': 0.04, 'eng': 0.34, 'eng-native': 0.16, 'espeak-eng': 0.16},
}
# Frequency of rooms, noise and channels. English needs less, as its many speakers vary by
# themselves.
SEVERITY = {'all': 1.0, 'chinese': 1.0, 'rendered': 1.0, 'english': 0.6}
# at most half as much augmentation in the last fifth of the time
LATE, LATE_OWN_VOICE, LATE_SEVERITY = 0.8, 0.6, 0.5
LANGUAGE_WEIGHT = {'yue': 1.0, 'cmn': 0.9, 'eng': 0.7}
IDENTIFICATION_WEIGHT = 2.0     # of the language decision, relative to one symbol
SHARED_WEIGHT = 0.3             # of the shared phone target
TEACHER_WEIGHT = 0.3            # of a frame's divergence from the teacher, relative to one symbol
PEAK_RATE, WARM_UP_STEPS, EMA = 1.5e-3, 200, 0.99


def ctc(scores, targets, frames):
    """Summed CTC loss of joint log-probabilities [B, T, S] and lists of target ids."""
    sizes = torch.tensor([len(t) for t in targets])
    symbols = torch.tensor(sum(targets, []), device=scores.device)
    return F.ctc_loss(scores.transpose(0, 1), symbols, frames, sizes, reduction='sum', zero_infinity=True)


def divergence(scores, taught, frames):
    """Summed KL divergence of log-probabilities [B, T, S] from those of a teacher."""
    mask = frame_mask(frames.to(scores.device), scores.shape[1])[:, :, None]
    return (F.kl_div(scores, taught, reduction='none', log_target=True) * mask).sum()


def batch_loss(model, features, batch, teacher=None):
    """Mean CTC loss per target symbol, weighted by language; and {language: loss} for the log."""
    features = features.to(next(model.parameters()).device)
    # CTC needs float32; convolutions of a GPU are twice as fast in bfloat16.
    with torch.autocast(features.device.type, torch.bfloat16, enabled=features.is_cuda):
        encoded = model.encoder(features)
    encoded = encoded.float()
    total, shown = SHARED_WEIGHT * ctc(model.heads['phone'](encoded)[0], batch['phones'], batch['frames']), {}
    if teacher is not None:
        with torch.no_grad():
            known = teacher.encoder(features)
    spoken = torch.zeros(len(batch['units']), dtype=torch.long)
    for name, (first, count) in batch['spans'].items():
        spoken[first:first + count] = list(LANGUAGES).index(name)
        scores = joint(LANGUAGES[name], *model.heads[name](encoded[first:first + count]))
        targets, frames = batch['targets'][first:first + count], batch['frames'][first:first + count]
        loss = ctc(scores, targets, frames)
        total = total + LANGUAGE_WEIGHT[name] * loss
        shown[name] = float(loss) / sum(len(t) for t in targets)
        if teacher is not None:
            with torch.no_grad():
                taught = joint(LANGUAGES[name], *teacher.heads[name](known[first:first + count]))
            loss = divergence(scores, taught, frames)
            total = total + TEACHER_WEIGHT * LANGUAGE_WEIGHT[name] * loss
            shown[name + ' taught'] = float(loss) / int(frames.sum())
    decided = language_scores(model.language(encoded), batch['frames'])
    wrong = F.cross_entropy(decided, spoken.to(decided.device), reduction='none')
    # Skip isolated syllables: they hardly identify a language, and memorizing them would harm the
    # encoder.
    weight = (batch['frames'] / 33).clamp(max=1).to(wrong.device)
    total = total + IDENTIFICATION_WEIGHT * (wrong * weight).sum()
    shown['language'] = float(wrong.mean())
    return total / sum(len(t) for t in batch['targets']), shown


def learning_rate(progress, step):
    """Warm-up by steps, then cosine decay over the share of the time used."""
    return PEAK_RATE * min(1.0, (step + 1) / WARM_UP_STEPS) * (0.5 * (1 + math.cos(math.pi * min(1.0, progress))) + 0.005)


class Exchange:
    """Averages gradients between workers through shared memory."""

    def __init__(self, workers, size):
        self.workers, self.shared = workers, torch.zeros(workers, size).share_memory_()
        self.seconds = torch.zeros(1, dtype=torch.float64).share_memory_()
        self.barrier = multiprocessing.get_context('fork').Barrier(workers)

    def average(self, rank, parameters):
        """Replaces every parameter's gradient by the mean over workers."""
        if self.workers == 1:
            return
        flat = torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in parameters])
        self.shared[rank] = flat
        self.barrier.wait()
        mean, first = self.shared.mean(0), 0
        self.barrier.wait()
        for p in parameters:
            p.grad = mean[first:first + p.numel()].view_as(p)
            first += p.numel()


class Run:
    """State of a training run: model, averaged copy, optimizer, steps and seconds."""

    def __init__(self, out, minutes, rank=0, device='cpu', channels=CHANNELS, blocks=BLOCKS):
        self.rank, self.exchange, self.teacher = rank, None, None
        self.out, self.seconds_allowed, self.step, self.spent = out, minutes * 60, 0, 0.0
        self.model = AcousticModel(channels=channels, blocks=blocks).to(device)
        self.average = copy.deepcopy(self.model).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), PEAK_RATE, weight_decay=0.01)

    def log(self, text):
        if self.rank:
            return
        line = f'{self.spent / 60:6.1f} min step {self.step} {text}'
        print(line, flush=True)
        with open(os.path.join(self.out, 'log.txt'), 'a', encoding='utf8') as log:
            log.write(line + '\n')

    def update_average(self):
        keep = min(EMA, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for mine, live in zip(self.average.state_dict().values(), self.model.state_dict().values()):
                if mine.dtype.is_floating_point:
                    mine.lerp_(live, 1 - keep)
                else:
                    mine.copy_(live)

    def save(self):
        path = os.path.join(self.out, 'last.pt')
        torch.save({'model': self.model.state_dict(), 'average': self.average.state_dict(), 'step': self.step,
                    'optimiser': self.optimiser.state_dict(), 'spent': self.spent}, path + '.part')
        os.replace(path + '.part', path)

    def load(self, path, weights_only):
        saved = torch.load(path, map_location='cpu')
        # shipped weights contain only the average
        self.model.load_state_dict(saved.get('model', saved['average']))
        self.average.load_state_dict(saved['average'])
        if not weights_only:
            self.optimiser.load_state_dict(saved['optimiser'])
            self.step, self.spent = saved['step'], saved['spent']

    def train_step(self, features, batch):
        rate = learning_rate(self.spent / self.seconds_allowed, self.step)
        for group in self.optimiser.param_groups:
            group['lr'] = rate
        loss, shown = batch_loss(self.model, features, batch, self.teacher)
        self.optimiser.zero_grad()
        loss.backward()
        self.exchange.average(self.rank, list(self.model.parameters()))
        nn.utils.clip_grad_norm_(self.model.parameters(), 3.0)
        self.optimiser.step()
        self.step += 1
        if self.step % 4 == 0 and self.rank == 0:
            self.update_average()
        return float(loss), shown


def is_test_store(path):
    return path.endswith('-test') or os.path.basename(path) == 'other'


def evaluation_sets(store, quick):
    """{name: rows} of held-out data; rows of one name share a language."""
    sets = {}
    for row in store.index:
        name = row['store'] + (', unseen voices' if row['speaker'].startswith('unseen') else '')
        sets.setdefault(name, []).append(row)
    return {name: found[::4] if quick else found for name, found in sets.items()}


@torch.no_grad()
def identified(model, store, rows):
    """Share of recordings whose language is identified correctly."""
    model.eval()
    right = 0
    for batch in test_batches(rows):
        features = plain(store, batch).to(next(model.parameters()).device)
        scores = language_scores(model.language(model.encoder(features)), batch['frames'])
        right += int((scores.argmax(1) == list(LANGUAGES).index(rows[0]['language'])).sum())
    return right / len(rows)


def report(run, store, quick=True):
    for name, rows in evaluation_sets(store, quick).items():
        count = evaluate(run.average, store, rows, rows[0]['language'])
        run.log(f'  {name}: {count}, language {identified(run.average, store, rows):.1%}   {count.examples[-1]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('stores')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--mixture', choices=list(MIXTURES), default='all')
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--init')
    parser.add_argument('--teacher')
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--loaders', type=int, default=0, help='processes that prepare batches; 0: the worker itself')
    parser.add_argument('--channels', type=int, default=CHANNELS)
    parser.add_argument('--blocks', type=int, default=BLOCKS)
    parser.add_argument('--every', type=int, default=500, help='steps between evaluations')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.set_num_threads(1)
    names = sorted(path[:-len('.jsonl')] for path in glob.glob(os.path.join(args.stores, '*.jsonl')))
    train_store = Store([n for n in names if not is_test_store(n)])
    test_store = Store([n for n in names if is_test_store(n)])
    size = sum(p.numel() for p in AcousticModel(channels=args.channels, blocks=args.blocks).parameters())
    exchange = Exchange(args.workers, size)
    others = [multiprocessing.get_context('fork').Process(target=work, args=(args, rank, exchange, train_store, None))
              for rank in range(1, args.workers)]
    for process in others:
        process.start()
    work(args, 0, exchange, train_store, test_store)
    for process in others:
        process.join()


class Loading:
    """Draws and augments the batches of a worker, in its own process or in others."""

    def __init__(self, args, rank, exchange, store):
        self.args, self.rank, self.exchange, self.store = args, rank, exchange, store
        context = multiprocessing.get_context('fork')
        self.step = context.Value('l', 0)
        self.ready = context.Queue(maxsize=4 * max(1, args.loaders))
        self.begin = context.Event()
        self.processes = [context.Process(target=self.fill, args=(number,), daemon=True) for number in range(args.loaders)]
        for process in self.processes:
            process.start()

    def start(self, step):
        """Begins at a step: the seeds of a run that goes on differ from those it began with."""
        self.step.value = step
        self.begin.set()

    def fill(self, number):
        torch.set_num_threads(1)
        self.begin.wait()
        for loaded in self.draw(number):
            self.ready.put(loaded)

    def batches(self):
        """Yields features [B, T, FEATURES], their batch, and the seconds that this process spent."""
        if not self.processes:
            yield from self.draw(0)
        while True:
            began = time.time()
            features, batch, _ = self.ready.get()
            yield features, batch, time.time() - began

    def draw(self, number):
        args = self.args
        seed = args.seed + self.step.value * 10 + self.rank + 1000003 * number
        torch.manual_seed(seed)
        np.random.seed(seed % 2 ** 32)
        noise_index = [row for row in self.store.index if row['store'] in ('noise', 'eng')]
        text = CantoneseSource(args.recordings, [r['units'][0] for r in self.store.index if r['store'] == 'kt-train'])
        sampler = Sampler(self.store, text, MIXTURES[args.mixture], seed)
        for batch in sampler.batches(lambda: 160 if self.step.value < 150 else 280 if self.step.value < 400 else 800):
            severity = SEVERITY[args.mixture]
            if float(self.exchange.seconds[0]) > LATE * args.minutes * 60:
                severity, sampler.own_voice = min(severity, LATE_SEVERITY), LATE_OWN_VOICE
            began = time.time()
            with torch.no_grad():
                features = augment(self.store, noise_index, batch, severity)
            yield features, batch, time.time() - began

    def stop(self):
        for process in self.processes:
            process.terminate()


def work(args, rank, exchange, train_store, test_store):
    """Training loop of one worker; worker 0 also checks the time, evaluates and saves."""
    torch.manual_seed(args.seed)
    # Before the loaders start: a process with an open GPU cannot be forked.
    loading = Loading(args, rank, exchange, train_store)
    run = Run(args.out, args.minutes, rank, args.device, args.channels, args.blocks)
    run.exchange = exchange
    if args.teacher:
        taught = torch.load(args.teacher, map_location='cpu')['average']
        run.teacher = model_of(taught).to(args.device).eval().requires_grad_(False)
    if args.resume:
        run.load(os.path.join(args.out, 'last.pt'), False)
    elif args.init:
        run.load(args.init, True)
    run.log(f'{sum(p.numel() for p in run.model.parameters()) / 1e6:.2f} M parameters, {len(train_store.index)} utterances, '
            f'{len(train_store.mel) / 360000:.1f} hours, mixture {args.mixture}')
    exchange.seconds[0] = run.spent
    exchange.barrier.wait()
    start, spent_before, losses, shown_losses, augmenting = time.time(), run.spent, [], {}, 0.0
    loading.start(run.step)
    for features, batch, took in loading.batches():
        # all workers see the same time and stop at the same step
        exchange.barrier.wait()
        run.spent = float(exchange.seconds[0])
        exchange.barrier.wait()
        if run.spent >= run.seconds_allowed:
            break
        run.model.train()
        augmenting += took
        loading.step.value = run.step + 1
        loss, shown = run.train_step(features, batch)
        losses.append(loss)
        for language, value in shown.items():
            shown_losses.setdefault(language, []).append(value)
        if rank == 0:
            exchange.seconds[0] = spent_before + time.time() - start
        if run.step % 50 == 0:
            parts = ' '.join(f'{language} {np.mean(values):.3f}' for language, values in sorted(shown_losses.items()))
            run.log(f'loss {np.mean(losses):.3f} {parts} augmenting {augmenting / (time.time() - start):.0%}')
            losses, shown_losses = [], {}
        if run.step % 100 == 0 and rank == 0:
            run.save()
        if run.step % args.every == 0 and rank == 0:
            report(run, test_store)
    loading.stop()
    if rank == 0:
        run.save()
        report(run, test_store, quick=False)


if __name__ == '__main__':
    main()
