"""Trains the acoustic model on feature stores.

usage: train.py RECORDINGS STORES OUT --minutes M [--mixture all|chinese|rendered|full|
cantonese|mandarin|english] [--resume] [--init CHECKPOINT] [--teacher CHECKPOINT] [--people]
[--rate R] [--workers 2] [--device cuda --loaders 14 --hops 64000]
[--channels 640 --gates --dropout 0.12]

On processors every worker is a process with one thread, its own batches and a copy of the model;
gradients are averaged each step (threads in one process lose most of their time at barriers under
other load). On a GPU there is one worker: `loaders` processes draw batches, and the GPU augments
them. Stops after M minutes of training in total, including resumed runs. With a teacher, the model
also learns its probabilities, frame by frame; with --people the voices also vary in articulation
and spectrum (speaking.py, spectra.py). OUT/last.pt is written atomically each minute; OUT/log.txt
has the losses and greedy syllable error rates.
"""
import argparse
import copy
import glob
import math
import os
import time
from queue import Queue
from threading import Thread

import numpy as np
import torch
import torch.nn as nn
import torch.multiprocessing as multiprocessing
import torch.nn.functional as F

from augment import augment, noise_rows, plain
from batches import Sampler, test_batches
from export import load_model
from labels import LANGUAGES
from model import (
    BLOCKS,
    CHANNELS,
    AcousticModel,
    frame_mask,
    joint,
    language_scores,
    model_of,
    read_weights,
)
from score import evaluate
from spectra import People
from store import Store
from texts import CantoneseSource

# Shares of utterances, not of time: an isolated syllable is a tenth of a sentence. `all` trains the
# encoder; the others finish the models of one family, with enough of the rest to keep speaker
# variation and language identification.
MIXTURES = {
    'all': {
        'espeak-yue': 0.16,
        'joined': 0.17,
        'phrase': 0.08,
        'single': 0.14,
        'words': 0.11,
        'single-cmn': 0.05,
        'espeak-cmn': 0.07,
        'eng': 0.12,
        'eng-native': 0.06,
        'espeak-eng': 0.06,
    },
    'chinese': {
        'espeak-yue': 0.20,
        'joined': 0.20,
        'phrase': 0.09,
        'single': 0.17,
        'words': 0.14,
        'single-cmn': 0.05,
        'espeak-cmn': 0.09,
        'eng': 0.03,
        'eng-native': 0.01,
        'espeak-eng': 0.02,
    },
    # continues the Chinese model with sentences of the voice of recorded syllables
    'rendered': {
        'rendered': 0.30,
        'espeak-yue': 0.12,
        'joined': 0.18,
        'phrase': 0.07,
        'single': 0.11,
        'words': 0.11,
        'single-cmn': 0.03,
        'espeak-cmn': 0.05,
        'eng': 0.03,
    },
    # a large model, and the small one that is made of it (narrow.py)
    'full': {
        'espeak-yue': 0.11,
        'joined': 0.15,
        'phrase': 0.07,
        'single': 0.15,
        'rendered': 0.14,
        'words': 0.12,
        'single-cmn': 0.05,
        'espeak-cmn': 0.06,
        'eng': 0.14,
        'eng-native': 0.06,
        'espeak-eng': 0.06,
    },
    # The models of one language: other data is there for the variety of people, and for the
    # decision on the language.
    'cantonese': {
        'rendered': 0.25,
        'espeak-yue': 0.17,
        'joined': 0.20,
        'phrase': 0.08,
        'single': 0.17,
        'words': 0.04,
        'espeak-cmn': 0.02,
        'rendered-cmn': 0.02,
        'eng': 0.05,
    },
    'mandarin': {
        'rendered-cmn': 0.22,
        'espeak-cmn': 0.20,
        'words': 0.26,
        'single-cmn': 0.10,
        'joined': 0.04,
        'single': 0.04,
        'rendered': 0.03,
        'espeak-yue': 0.02,
        'eng': 0.09,
    },
    'english': {
        'espeak-yue': 0.06,
        'joined': 0.08,
        'phrase': 0.02,
        'single': 0.05,
        'words': 0.07,
        'single-cmn': 0.02,
        'espeak-cmn': 0.04,
        'eng': 0.34,
        'eng-native': 0.16,
        'espeak-eng': 0.16,
    },
}
# Frequency of rooms, noise and channels. English needs less, as its many speakers vary by
# themselves.
SEVERITY = {
    'all': 1.0,
    'chinese': 1.0,
    'rendered': 1.0,
    'full': 1.0,
    'cantonese': 1.0,
    'mandarin': 1.0,
    'english': 0.6,
}
# at most half as much augmentation in the last fifth of the time
LATE, LATE_OWN_VOICE, LATE_SEVERITY = 0.8, 0.6, 0.5
LANGUAGE_WEIGHT = {'yue': 1.0, 'cmn': 0.9, 'eng': 0.7}
IDENTIFICATION_WEIGHT = 2.0  # of the language decision, relative to one symbol
SHARED_WEIGHT = 0.3  # of the shared phone target
TEACHER_WEIGHT = 1.0  # of a frame's divergence from the teacher, relative to one symbol
PEAK_RATE, WARM_UP_STEPS, EMA = 1.5e-3, 200, 0.99


SECONDS_BETWEEN_SAVES = float(os.environ.get('SECONDS_BETWEEN_SAVES', 60))


def ctc(scores, targets, frames):
    """Summed CTC loss of joint log-probabilities [B, T, S] and lists of target ids."""
    sizes = torch.tensor([len(t) for t in targets])
    symbols = torch.tensor(sum(targets, []), dtype=torch.long, device=scores.device)
    return F.ctc_loss(
        scores.transpose(0, 1), symbols, frames, sizes, reduction='sum', zero_infinity=True
    )


def divergence(scores, taught, frames):
    """Summed KL divergence of log-probabilities [B, T, S] from those of a teacher."""
    mask = frame_mask(frames.to(scores.device), scores.shape[1])[:, :, None]
    return (F.kl_div(scores, taught, reduction='none', log_target=True) * mask).sum()


def batch_loss(model, features, batch, teacher=None):
    """Mean CTC loss per target symbol, weighted by language; and {language: loss} for the log."""
    # CTC needs float32; a GPU computes products of matrices twice as fast in bfloat16.
    with torch.autocast(features.device.type, torch.bfloat16, enabled=features.is_cuda):
        encoded = model.encoder(features, batch['frames']).float()
    total, shown = (
        SHARED_WEIGHT * ctc(model.heads['phone'](encoded)[0], batch['phones'], batch['frames']),
        {},
    )
    if teacher is not None:
        with torch.no_grad():
            known = teacher.encoder(features, batch['frames'])
    spoken = torch.zeros(len(batch['units']), dtype=torch.long)
    for name, (first, count) in batch['spans'].items():
        spoken[first : first + count] = list(LANGUAGES).index(name)
        scores = joint(LANGUAGES[name], *model.heads[name](encoded[first : first + count]))
        targets, frames = (
            batch['targets'][first : first + count],
            batch['frames'][first : first + count],
        )
        loss = ctc(scores, targets, frames)
        total = total + LANGUAGE_WEIGHT[name] * loss
        shown[name] = float(loss) / sum(len(t) for t in targets)
        if teacher is not None:
            with torch.no_grad():
                taught = joint(LANGUAGES[name], *teacher.heads[name](known[first : first + count]))
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


def learning_rate(peak, progress, step):
    """Warm-up by steps, then cosine decay over the share of the time used."""
    return (
        peak
        * min(1.0, (step + 1) / WARM_UP_STEPS)
        * (0.5 * (1 + math.cos(math.pi * min(1.0, progress))) + 0.005)
    )


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
        flat = torch.cat(
            [(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in parameters]
        )
        self.shared[rank] = flat
        self.barrier.wait()
        mean, first = self.shared.mean(0), 0
        self.barrier.wait()
        for p in parameters:
            p.grad = mean[first : first + p.numel()].view_as(p)
            first += p.numel()


class Run:
    """State of a training run: model, averaged copy, optimizer, steps and seconds."""

    def __init__(self, model, out, minutes, rank=0, peak_rate=PEAK_RATE):
        self.rank, self.exchange, self.teacher = rank, None, None
        self.out, self.seconds_allowed, self.step, self.spent = out, minutes * 60, 0, 0.0
        self.model, self.peak_rate = model, peak_rate
        self.average = copy.deepcopy(self.model).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), peak_rate, weight_decay=0.01)

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
            for mine, live in zip(
                self.average.state_dict().values(), self.model.state_dict().values()
            ):
                if mine.dtype.is_floating_point:
                    mine.lerp_(live, 1 - keep)
                else:
                    mine.copy_(live)

    def save(self):
        path = os.path.join(self.out, 'last.pt')
        torch.save(
            {
                'model': self.model.state_dict(),
                'average': self.average.state_dict(),
                'step': self.step,
                'optimiser': self.optimiser.state_dict(),
                'spent': self.spent,
            },
            path + '.part',
        )
        os.replace(path + '.part', path)

    def resume(self, saved):
        """Goes on from a checkpoint that `save` wrote."""
        self.model.load_state_dict(saved['model'])
        self.average.load_state_dict(saved['average'])
        self.optimiser.load_state_dict(saved['optimiser'])
        self.step, self.spent = saved['step'], saved['spent']

    def train_step(self, features, batch):
        rate = learning_rate(self.peak_rate, self.spent / self.seconds_allowed, self.step)
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
        scores = language_scores(
            model.language(model.encoder(features, batch['frames'])), batch['frames']
        )
        right += int((scores.argmax(1) == list(LANGUAGES).index(rows[0]['language'])).sum())
    return right / len(rows)


def report(run, store, quick=True):
    for name, rows in evaluation_sets(store, quick).items():
        count = evaluate(run.average, store, rows, rows[0]['language'])
        language = identified(run.average, store, rows)
        run.log(f'  {name}: {count}, language {language:.1%}   {count.examples[-1]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('recordings')
    parser.add_argument('stores')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--mixture', choices=list(MIXTURES), default='all')
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--device', default='cpu')
    parser.add_argument(
        '--loaders', type=int, default=0, help='processes that draw batches; 0: the worker itself'
    )
    parser.add_argument('--hops', type=int, default=3300, help='10 ms frames in a batch, at most')
    parser.add_argument('--channels', type=int, default=CHANNELS)
    parser.add_argument('--blocks', type=int, default=BLOCKS)
    parser.add_argument(
        '--gates',
        action='store_true',
        help='scale channels by what the whole utterance sounds like',
    )
    parser.add_argument('--dropout', type=float, default=0.07)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--init')
    parser.add_argument('--teacher')
    parser.add_argument(
        '--people', action='store_true', help='vary speaking and spectra as they do between people'
    )
    parser.add_argument('--rate', type=float, default=PEAK_RATE, help='highest learning rate')
    parser.add_argument('--every', type=int, default=500, help='steps between evaluations')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.set_num_threads(1)
    names = sorted(
        path[: -len('.jsonl')] for path in glob.glob(os.path.join(args.stores, '*.jsonl'))
    )
    train_store = Store([n for n in names if not is_test_store(n)])
    test_store = Store([n for n in names if is_test_store(n)])
    start = os.path.join(args.out, 'last.pt') if args.resume else args.init
    model = (
        AcousticModel(
            dropout=args.dropout, channels=args.channels, blocks=args.blocks, gates=args.gates
        )
        if start is None
        else model_of(read_weights(start), args.dropout)
    )
    exchange = Exchange(args.workers, sum(p.numel() for p in model.parameters()))
    others = [
        multiprocessing.get_context('fork').Process(
            target=work, args=(args, rank, exchange, model, train_store, None)
        )
        for rank in range(1, args.workers)
    ]
    for process in others:
        process.start()
    work(args, 0, exchange, model, train_store, test_store)
    for process in others:
        process.join()


class Drawing:
    """Endless batches of a worker, drawn by itself or by other processes."""

    def __init__(self, args, rank, seconds, store):
        self.args, self.store, self.seconds, self.rank = args, store, seconds, rank
        context = multiprocessing.get_context('fork')
        self.step, self.drawn = context.Value('l', 0), context.Queue(
            maxsize=3 * max(1, args.loaders)
        )
        self.begin = context.Event()
        # Before the worker opens a GPU: processes cannot be forked after it.
        self.processes = [
            context.Process(target=self.fill, args=(number,), daemon=True)
            for number in range(args.loaders)
        ]
        for process in self.processes:
            process.start()

    def batches(self, step):
        """Starts at a step: the seeds of a run that goes on differ from those it began with."""
        self.step.value = step
        if not self.processes:
            yield from self.draw(0)
        self.begin.set()
        ready = Queue(maxsize=4)
        # Batches are moved to the GPU while it works.
        Thread(target=self.move, args=(ready,), daemon=True).start()
        while True:
            yield ready.get()

    def move(self, ready):
        while True:
            ready.put(moved(self.drawn.get(), self.args.device))

    def fill(self, number):
        torch.set_num_threads(1)
        self.begin.wait()
        for batch in self.draw(number):
            # As arrays: tensors would need a file descriptor each.
            self.drawn.put(
                {
                    key: value.numpy() if torch.is_tensor(value) else value
                    for key, value in batch.items()
                }
                | {'rows': {key: value.numpy() for key, value in batch['rows'].items()}}
            )

    def draw(self, number):
        args = self.args
        seed = args.seed + self.step.value * 10 + self.rank + 1000003 * number
        torch.manual_seed(seed)
        np.random.seed(seed % 2**32)
        text = CantoneseSource(
            args.recordings, [r['units'][0] for r in self.store.index if r['store'] == 'kt-train']
        )
        sampler = Sampler(self.store, text, MIXTURES[args.mixture], seed, args.hops)
        for batch in sampler.batches(self.longest_hops):
            if self.is_late():
                sampler.own_voice = LATE_OWN_VOICE
            yield batch

    def longest_hops(self):
        """Short utterances first, unless the model knows something already."""
        if self.args.init or self.step.value >= 400:
            return 800
        return 160 if self.step.value < 150 else 280

    def is_late(self):
        return float(self.seconds[0]) > LATE * self.args.minutes * 60

    def stop(self):
        for process in self.processes:
            process.terminate()


def moved(batch, device):
    """A batch of arrays as one of tensors on a device."""
    tensors = {
        key: torch.from_numpy(value).to(device)
        for key, value in batch.items()
        if isinstance(value, np.ndarray)
    }
    return (
        batch
        | tensors
        | {
            'rows': {
                key: torch.from_numpy(value).to(device) for key, value in batch['rows'].items()
            }
        }
    )


class Augmenting:
    """Turns drawn batches into features, on the device of the store."""

    def __init__(self, args, store):
        self.store, self.severity = store, SEVERITY[args.mixture]
        self.noise_index = noise_rows(store)
        self.people = People(store) if args.people else None

    @torch.no_grad()
    def __call__(self, batch, is_late):
        severity = min(self.severity, LATE_SEVERITY) if is_late else self.severity
        return augment(self.store, self.noise_index, batch, severity, self.people)


def work(args, rank, exchange, model, train_store, test_store):
    """Training loop of one worker; worker 0 also checks the time, evaluates and saves."""
    torch.manual_seed(args.seed)
    drawing = Drawing(args, rank, exchange.seconds, train_store)
    if args.device != 'cpu':
        torch.set_default_device(args.device)
        for store in (train_store, test_store):
            store.mel, store.pitch = store.mel.to(args.device), store.pitch.to(args.device)
    run = Run(model.to(args.device), args.out, args.minutes, rank, args.rate)
    run.exchange = exchange
    if args.teacher:
        run.teacher = load_model(args.teacher).to(args.device).requires_grad_(False)
    if args.resume:
        run.resume(torch.load(os.path.join(args.out, 'last.pt'), map_location=args.device))
    augmenting = Augmenting(args, train_store)
    run.log(
        f'{sum(p.numel() for p in run.model.parameters()) / 1e6:.2f} M parameters, '
        f'{len(train_store.index)} utterances, {len(train_store.mel) / 360000:.1f} hours, '
        f'mixture {args.mixture}, {args.init or "no"} weights, {args.teacher or "no"} teacher'
    )
    exchange.seconds[0] = run.spent
    exchange.barrier.wait()
    start, spent_before, saved, losses, shown_losses = time.time(), run.spent, time.time(), [], {}
    for batch in drawing.batches(run.step):
        # all workers see the same time and stop at the same step
        exchange.barrier.wait()
        run.spent = float(exchange.seconds[0])
        exchange.barrier.wait()
        if run.spent >= run.seconds_allowed:
            break
        run.model.train()
        loss, shown = run.train_step(augmenting(batch, drawing.is_late()), batch)
        drawing.step.value = run.step
        losses.append(loss)
        for language, value in shown.items():
            shown_losses.setdefault(language, []).append(value)
        if rank == 0:
            exchange.seconds[0] = spent_before + time.time() - start
        if run.step % 50 == 0:
            parts = ' '.join(
                f'{language} {np.mean(values):.3f}'
                for language, values in sorted(shown_losses.items())
            )
            run.log(f'loss {np.mean(losses):.3f} {parts}')
            losses, shown_losses = [], {}
        if time.time() - saved > SECONDS_BETWEEN_SAVES and rank == 0:
            run.save()
            saved = time.time()
        if run.step % args.every == 0 and rank == 0:
            report(run, test_store)
    drawing.stop()
    if rank == 0:
        run.save()
        report(run, test_store, quick=False)


if __name__ == '__main__':
    main()
