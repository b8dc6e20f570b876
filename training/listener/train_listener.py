"""Trains the listener on packed sounds (prepare).

usage: train_listener.py MODEL PACKED OUT --minutes M [--resume] [--start WEIGHTS] [--shared 3]

MODEL is the folder of whisper.py. Stops after M minutes of training in total, resumed runs
included. OUT/last.pt is written atomically every two minutes, so that an interrupted training goes
on with --resume; OUT/log.txt has the losses and the greedy errors on held-out sounds. --start
begins with the weights of an earlier training (OUT/last.pt, or the file of keep.py). At first
only the heads learn; then the layers above the shared ones, which are drawn back to the published
weights, so that what those know of people is not unlearnt. The draw is weak at --anchor 0.
"""

import argparse
import math
import os
import time

import numpy as np
import torch
import torch.multiprocessing as multiprocessing
import torch.nn.functional as F

from greedy_errors import evaluate_sets, held_out_sets
from network import SPELLINGS, Listener
from sounds import Sounds
from train import ctc

HEADS_RATE, LAYERS_RATE = 1.5e-3, 1.2e-4
HEADS_FIRST, WARM_UP = 40, 80  # steps
WEIGHTS = {'yue': 1.0, 'cmn': 0.9, 'eng': 0.7}
LANGUAGE_WEIGHT, SILENCE_WEIGHT = 2.0, 0.05
EMA = 0.995
SECONDS_BETWEEN_SAVES = float(os.environ.get('SECONDS_BETWEEN_SAVES', 120))
MINUTES_BETWEEN_TESTS = 15


def batch_loss(network, batch):
    """The loss for each symbol, weighted by language; and {language: loss} for the log."""
    encoded = network.encode(batch['mels'], batch['frames'])
    total, shown, symbols = torch.zeros(()), {}, 0
    languages = np.array(batch['languages'])
    for name in SPELLINGS:
        rows = np.flatnonzero(languages == name)
        if not len(rows):
            continue
        scores = F.log_softmax(network.heads[name](encoded[rows]), -1)
        targets = [batch['targets'][row] for row in rows]
        loss, count = ctc(scores, targets, batch['frames'][rows]), sum(map(len, targets))
        total = total + WEIGHTS[name] * loss
        symbols += count
        shown[name] = float(loss.detach()) / count
    silent = np.flatnonzero(languages == '')
    if len(silent):
        # Every head hears nothing in noise.
        frames = batch['frames'][silent]
        for name in SPELLINGS:
            scores = F.log_softmax(network.heads[name](encoded[silent]), -1)
            loss = ctc(scores, [[]] * len(silent), frames)
            total = total + SILENCE_WEIGHT * loss
    spoken = np.flatnonzero(languages != '')
    if len(spoken):
        decided = network.language_scores(encoded[spoken], batch['frames'][spoken])
        truth = torch.tensor([list(SPELLINGS).index(languages[row]) for row in spoken])
        wrong = F.cross_entropy(decided, truth, reduction='none')
        # A single syllable hardly tells its language.
        weight = (batch['frames'][spoken] / 75).clamp(max=1)
        total = total + LANGUAGE_WEIGHT * (wrong * weight).sum()
        shown['language'] = float(wrong.detach().mean())
    return total / max(1, symbols), shown


def load_batches(packed, seed, seconds, queue):
    """Fills a queue, in a process of its own."""
    torch.set_num_threads(1)
    sounds = Sounds(packed, seed)
    for utterances in sounds.batches(seconds):
        queue.put(sounds.features(utterances))


class Run:
    """A training: network, averaged weights, optimizer, steps and seconds."""

    def __init__(self, network, out, minutes, anchor):
        self.network, self.out, self.allowed, self.anchor = network, out, minutes * 60, anchor
        self.step, self.spent = 0, 0.0
        self.heads = [p for name, p in network.tuned().items() if is_head(name)]
        self.layers = [p for name, p in network.tuned().items() if not is_head(name)]
        self.optimizer = torch.optim.AdamW(
            [
                {'params': self.heads, 'weight_decay': 0.01},
                {'params': self.layers, 'weight_decay': 0},
            ]
        )
        self.published = [p.detach().clone() for p in self.layers]
        self.average = network.tuned_state()

    def log(self, text):
        line = f'{self.spent / 60:6.1f} min, step {self.step}: {text}'
        print(line, flush=True)
        with open(os.path.join(self.out, 'log.txt'), 'a', encoding='utf8') as log:
            log.write(line + '\n')

    def set_rates(self):
        progress = min(1.0, self.spent / self.allowed)
        fall = 0.5 * (1 + math.cos(math.pi * progress)) + 0.01
        heads, layers = self.optimizer.param_groups
        heads['lr'] = HEADS_RATE * fall * min(1, (self.step + 1) / 10)
        layers['lr'] = LAYERS_RATE * fall * min(1, max(0, self.step - HEADS_FIRST) / WARM_UP)

    def train(self, batch):
        self.set_rates()
        for parameter in self.layers:
            parameter.requires_grad_(self.step >= HEADS_FIRST)
        loss, shown = batch_loss(self.network, batch)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.heads + self.layers, 5.0)
        self.optimizer.step()
        rate = self.optimizer.param_groups[1]['lr']
        with torch.no_grad():
            for parameter, start in zip(self.layers, self.published):
                parameter.lerp_(start, self.anchor * rate)
            keep = min(EMA, (1 + self.step) / (10 + self.step))
            for name, parameter in self.network.tuned().items():
                self.average[name].lerp_(parameter, 1 - keep)
        self.step += 1
        return shown

    def save(self):
        path = os.path.join(self.out, 'last.pt')
        state = {
            'tuned': self.network.tuned_state(),
            'average': self.average,
            'optimizer': self.optimizer.state_dict(),
            'step': self.step,
            'spent': self.spent,
        }
        torch.save(state, path + '.part')
        os.replace(path + '.part', path)

    def resume(self, path):
        state = torch.load(path)
        self.network.load_tuned(state['tuned'])
        self.average = state['average']
        self.optimizer.load_state_dict(state['optimizer'])
        self.step, self.spent = state['step'], state['spent']

    def test(self, sets):
        """Logs the greedy errors of the averaged weights."""
        tuned = self.network.tuned_state()
        self.network.load_tuned(self.average)
        for line in evaluate_sets(self.network, sets):
            self.log(line)
        self.network.load_tuned(tuned)


def is_head(name):
    return name.startswith(('heads.', 'language.'))


def train_until(run, queue, sets):
    losses, began = {}, time.monotonic() - run.spent
    saved = tested = run.spent
    while run.spent < run.allowed:
        for name, loss in run.train(queue.get()).items():
            losses[name] = 0.95 * losses.get(name, loss) + 0.05 * loss
        run.spent = time.monotonic() - began
        if run.step % 25 == 0:
            run.log(', '.join(f'{name} {loss:.2f}' for name, loss in sorted(losses.items())))
        if run.spent - saved > SECONDS_BETWEEN_SAVES:
            run.save()
            saved = run.spent
        if run.spent - tested > 60 * MINUTES_BETWEEN_TESTS:
            # The time of a test is not one of training.
            run.test(sets)
            began = time.monotonic() - run.spent
            tested = run.spent


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('model')
    parser.add_argument('packed')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--start', metavar='WEIGHTS')
    parser.add_argument('--shared', type=int, default=3)
    parser.add_argument('--anchor', type=float, default=1.0)
    parser.add_argument('--seconds', type=float, default=36, help='sound in a batch')
    parser.add_argument('--loaders', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--recordings', help='with the dev sentences of people, to test on')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.manual_seed(args.seed)
    network = Listener(os.path.join(args.model, 'model.bin'), args.shared)
    run = Run(network, args.out, args.minutes, args.anchor)
    last = os.path.join(args.out, 'last.pt')
    if args.resume and os.path.exists(last):
        run.resume(last)
    elif args.start:
        start = torch.load(args.start)['average']
        network.load_tuned({name: value.float() for name, value in start.items()})
        run.average = network.tuned_state()
    processes = multiprocessing.get_context('spawn')
    queue = processes.Queue(4)
    for loader in range(args.loaders):
        seed = args.seed * 1000 + run.step * 10 + loader
        processes.Process(
            target=load_batches, args=(args.packed, seed, args.seconds, queue), daemon=True
        ).start()
    sets = held_out_sets(args.packed, args.recordings)
    train_until(run, queue, sets)
    run.save()
    run.test(sets)


if __name__ == '__main__':
    main()
