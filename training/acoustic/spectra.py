"""Long-term spectra of the speakers in a store: utterances get those of other people.

Means and deviations of log powers over the loud frames of a speaker hold what voice, microphone and
room add to every sound. Replacing the ones of a synthesizer, or of one man, by those of hundreds of
recorded people changes them as they differ in reality.
"""
import torch

from augment import pool

FRAMES = 2000  # of each speaker
SHARE = 0.4  # of the utterances
SCALE = (0.7, 1.4)  # limits of the change of deviations


def is_person(speaker):
    """False for synthesizers, and for the one man from whom most Cantonese material is made."""
    return not speaker.startswith(('espeak', 'unseen', 'rendered', 'kt'))


class People:
    """Spectra of every speaker of a store, and which of them may be imitated."""

    def __init__(self, store):
        rows = {}
        for row in store.index:
            rows.setdefault(row['speaker'], []).append(row)
        self.number = {speaker: i for i, speaker in enumerate(rows)}
        measured = [self.measure(store, found) for found in rows.values()]
        self.mean, self.deviation = (torch.stack(values) for values in zip(*measured))
        self.people = torch.tensor([i for speaker, i in self.number.items() if is_person(speaker)])

    @staticmethod
    def measure(store, rows):
        """Mean and standard deviation [BANDS] of the log powers of loud frames, relative to the
        mean over bands."""
        pieces, count = [], 0
        for row in rows:
            pieces.append(
                store.mel[row['start'] : row['start'] + row['frames']].float().exp() @ pool()
            )
            count += len(pieces[-1])
            if count > FRAMES:
                break
        power = torch.cat(pieces)
        level = power.mean(1)
        log = torch.log(power[level > 0.1 * level.mean()] + 1e-9)
        mean = log.mean(0)
        return mean - mean.mean(), log.std(0) + 0.1

    def imitate(self, power, speakers):
        """Powers [B, T, BANDS] of speakers [B] (names), some of them with the spectrum of another
        person, each to a degree of its own."""
        size = len(speakers)
        own = torch.tensor([self.number[speaker] for speaker in speakers])
        other = self.people[torch.randint(len(self.people), (size,))]
        degree = torch.rand(size, 1) * (torch.rand(size, 1) < SHARE).float()
        change = (self.mean[other] - self.mean[own]) * degree
        scale = (self.deviation[other] / self.deviation[own]).clamp(*SCALE) ** degree
        log = torch.log(power + 1e-9)
        center = self.mean[own][:, None] + log.mean((1, 2), keepdim=True)
        return torch.exp(center + (log - center) * scale[:, None] + change[:, None])
