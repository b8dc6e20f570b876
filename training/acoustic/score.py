"""Greedy CTC decoding and syllable error rates."""
import torch

from augment import plain
from batches import test_batches
from labels import LANGUAGES
from model import joint


def edit_distance(said, heard):
    row = list(range(len(heard) + 1))
    for i, a in enumerate(said, 1):
        before, row[0] = row[:], i
        for j, b in enumerate(heard, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
    return row[-1]


def greedy(language, log_probabilities):
    """Units of one utterance's joint log-probabilities [T, joint_size]."""
    best = torch.unique_consecutive(log_probabilities.argmax(1)).tolist()
    return language.decode([i for i in best if i])


def as_heard(language, units):
    """Units in the spelling of `Language.decode`, whose rimes are the model's (Mandarin `zhir4` for zhi4)."""
    return language.decode(language.encode(units))


class ErrorCount:
    """Adds up edits with and without tone."""

    def __init__(self):
        self.total = self.toned = self.toneless = 0
        self.examples = []

    def add(self, said, heard, has_tones=True):
        self.total += len(said)
        self.toned += edit_distance(said, heard)
        if has_tones:
            self.toneless += edit_distance([s[:-1] for s in said], [s[:-1] for s in heard])
        if len(self.examples) < 3:
            self.examples.append(' '.join(said) + ' > ' + ' '.join(heard))

    def __str__(self):
        n = max(1, self.total)
        return f'{100 * self.toned / n:.1f} % (without tone {100 * self.toneless / n:.1f} %) of {self.total}'


@torch.no_grad()
def evaluate(model, store, rows, language='yue'):
    """ErrorCount of cached recordings."""
    model.eval()
    count, table = ErrorCount(), LANGUAGES[language]
    for batch in test_batches(rows):
        scores = joint(table, *model(plain(store, batch), language))
        for b, units in enumerate(batch['units']):
            count.add(as_heard(table, units), greedy(table, scores[b, :batch['frames'][b]]), table.tones > 0)
    return count
