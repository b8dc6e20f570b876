"""Shared by both trainings: time and learning rate, averaged weights, checkpoints, the log."""
import copy
import math
import os
import time

import torch
import torch.nn as nn


class Run:
    """Trains `model` (and `extra` parameters that are not exported) for a given number of minutes,
    resumable."""

    def __init__(self, out, minutes, model, extra=None, rate=2e-3, decay=0.03, warm_up=200):
        os.makedirs(out, exist_ok=True)
        self.out, self.minutes, self.rate, self.warm_up = out, minutes, rate, warm_up
        self.model, self.extra = model, extra
        self.average = copy.deepcopy(model).requires_grad_(False)
        parameters = [*model.parameters(), *(extra.parameters() if extra else [])]
        self.optimiser = torch.optim.AdamW(
            parameters,
            rate,
            weight_decay=decay,
            **({'fused': True} if parameters[0].is_cuda else {}),
        )
        self.step, self.spent, self.parameters = 0, 0.0, parameters
        self.last = time.time()

    @property
    def progress(self):
        return min(1.0, self.spent / (self.minutes * 60))

    def log(self, text):
        line = f'{self.spent / 60:6.1f} min step {self.step} {text}'
        print(line, flush=True)
        with open(os.path.join(self.out, 'log.txt'), 'a', encoding='utf8') as log:
            log.write(line + '\n')

    def save(self):
        path = os.path.join(self.out, 'last.pt')
        torch.save(
            {
                'model': self.model.state_dict(),
                'average': self.average.state_dict(),
                'step': self.step,
                'spent': self.spent,
                'extra': self.extra.state_dict() if self.extra else None,
                'optimiser': self.optimiser.state_dict(),
            },
            path + '.part',
        )
        os.replace(path + '.part', path)

    def resume(self):
        saved = torch.load(
            os.path.join(self.out, 'last.pt'), map_location=self.parameters[0].device
        )
        self.model.load_state_dict(saved['model'])
        self.average.load_state_dict(saved['average'])
        if self.extra:
            self.extra.load_state_dict(saved['extra'])
        self.optimiser.load_state_dict(saved['optimiser'])
        self.step, self.spent = saved['step'], saved['spent']

    def update(self, loss):
        """One optimizer step; the rate warms up by steps and decays as a cosine of the time
        used."""
        share = 0.5 * (1 + math.cos(math.pi * self.progress)) + 0.004
        for group in self.optimiser.param_groups:
            group['lr'] = self.rate * min(1.0, (self.step + 1) / self.warm_up) * share
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 3.0)
        self.optimiser.step()
        self.step += 1
        # The first one, too: equal weights of a new network would be exported once.
        if self.step % 4 == 0 or self.step == 1:
            self.update_average()
        now = time.time()
        self.spent += now - self.last
        self.last = now

    def update_average(self):
        keep = min(0.99, (1 + self.step) / (40 + self.step))
        with torch.no_grad():
            for mine, live in zip(
                self.average.state_dict().values(), self.model.state_dict().values()
            ):
                if mine.dtype.is_floating_point:
                    mine.lerp_(live, 1 - keep)
                else:
                    mine.copy_(live)
